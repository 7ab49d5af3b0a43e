#pragma once

#include <cstdint>
#include <span>

#include "common/cuda/device_buffer.hpp"
#include "library/gpu_decompress_plan.hpp"

namespace gsst::experiments {

/// A frame on the device with the library's plan to decompress it.
struct LibraryFrame {
  /// `frame` is in host memory; `compares`: its checksums are compared. Throws format::FormatError,
  /// CudaError.
  LibraryFrame(std::span<const std::uint8_t> frame, bool compares)
      : plan(stage::Executor::gpu, frame, {.verify_checksums = compares}), bytes(frame) {}

  library::GpuDecompressPlan plan;
  cuda::DeviceBuffer bytes;
};

/// The memory that the decompression of a whole frame takes besides frame and output.
struct LibraryMemory {
  /// Throws CudaError.
  explicit LibraryMemory(const LibraryFrame& frame)
      : scratch(frame.plan.scratch_bytes()),
        status(frame.plan.summary().block_count * sizeof(std::uint32_t)) {}

  cuda::DeviceBuffer scratch;
  cuda::DeviceBuffer status;
};

/// Enqueues the decompression of the whole frame on the default stream; `output` is device memory for all of
/// the text, `memory` is the frame's.
inline void enqueue_whole(const LibraryFrame& frame, cuda::DeviceBuffer& output, LibraryMemory& memory) {
  frame.plan.enqueue({.frame = frame.bytes.data(),
                      .output = output.data(),
                      .scratch = memory.scratch.data(),
                      .status = reinterpret_cast<std::uint32_t*>(memory.status.data())},
                     nullptr);
}

}  // namespace gsst::experiments
