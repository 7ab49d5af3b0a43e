#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "common/stage/stage.hpp"
#if GSST_WITH_CUDA
#include <cuda_runtime_api.h>

#include "common/cuda/device_buffer.hpp"
#include "common/cuda/error.hpp"
#endif

/// What running a plan once takes besides the plan: run_decode.cpp, run_ranges.cpp.
namespace gsst::stage {

/// Host memory with the members that cuda::DeviceBuffer has.
class HostBuffer {
public:
  explicit HostBuffer(std::size_t size) : bytes_(size) {}
  explicit HostBuffer(std::vector<std::uint8_t> bytes) : bytes_(std::move(bytes)) {}

  std::uint8_t* data() { return bytes_.data(); }
  void fill(std::uint8_t value) { std::ranges::fill(bytes_, value); }
  const std::vector<std::uint8_t>& to_host() const { return bytes_; }

private:
  std::vector<std::uint8_t> bytes_;
};

/// Waits until the executor has done all work. Throws cuda::CudaError.
inline void wait_for(Executor executor) {
#if GSST_WITH_CUDA
  if (executor == Executor::gpu) GSST_CUDA_CHECK(cudaDeviceSynchronize());
#else
  static_cast<void>(executor);
#endif
}

/// The frame after `offset` bytes: exactly as long as it is, so that a sanitizer sees a read past its end.
inline std::vector<std::uint8_t> shifted(std::span<const std::uint8_t> frame, std::size_t offset) {
  std::vector<std::uint8_t> bytes(offset + frame.size());
  std::ranges::copy(frame, bytes.begin() + static_cast<std::ptrdiff_t>(offset));
  return bytes;
}

}  // namespace gsst::stage
