#include "library/gpu_frame_outline.hpp"

#include <cstdint>
#include <span>
#include <string>

#include "library/failure.hpp"
#include "library/gpu_device.hpp"
#include "library/gpu_memory.hpp"

namespace gsst::library {

void check_not_captured(cudaStream_t stream, const char* what) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  GSST_CUDA_CHECK(cudaStreamIsCapturing(stream, &status));
  if (status == cudaStreamCaptureStatusNone) return;
  throw ApiError(GSST_ERROR_INVALID_ARGUMENT, "stream is being captured: " + std::string(what) + " before");
}

FrameOutline outline_of_device_frame(const void* frame, std::size_t frame_bytes, int least,
                                     cudaStream_t stream) {
  check_memory_to_decompress({{"frame", frame, frame_bytes, frame_bytes, 1, GSST_ERROR_INVALID_ARGUMENT}},
                             least);
  check_not_captured(stream, "create the plan");
  return {frame_bytes, [&](std::span<std::uint8_t> to, std::uint64_t offset) {
            GSST_CUDA_CHECK(cudaMemcpyAsync(to.data(), static_cast<const std::uint8_t*>(frame) + offset,
                                            to.size(), cudaMemcpyDeviceToHost, stream));
            GSST_CUDA_CHECK(cudaStreamSynchronize(stream));
          }};
}

}  // namespace gsst::library
