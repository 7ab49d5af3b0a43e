#pragma once

#include <cstdint>
#include <span>

#include "common/cuda/device_buffer.hpp"
#include "library/gpu_decompress_plan.hpp"

namespace gsst::experiments {

/// A frame on the device with the library's plan to decompress it and the memory that this takes, but for the
/// output.
struct LibraryFrame {
  /// `frame` is in host memory; `compares`: its checksums are compared. Throws format::FormatError,
  /// CudaError.
  LibraryFrame(std::span<const std::uint8_t> frame, bool compares)
      : plan(stage::Executor::gpu, frame, {.verify_checksums = compares}),
        bytes(frame),
        scratch(plan.scratch_bytes()),
        status(plan.summary().block_count * sizeof(std::uint32_t)) {}

  /// Enqueues the decompression of the whole frame on the default stream; `output` is device memory for all
  /// of the text.
  void enqueue(cuda::DeviceBuffer& output) {
    plan.enqueue({.frame = bytes.data(),
                  .output = output.data(),
                  .scratch = scratch.data(),
                  .status = reinterpret_cast<std::uint32_t*>(status.data())},
                 nullptr);
  }

  library::GpuDecompressPlan plan;
  cuda::DeviceBuffer bytes;
  cuda::DeviceBuffer scratch;
  cuda::DeviceBuffer status;
};

}  // namespace gsst::experiments
