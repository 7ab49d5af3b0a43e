#include "experiments/measure/shared/encoded_frame.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "common/cuda/error.hpp"
#include "experiments/measure/shared/error.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::experiments {

std::uint64_t verified_frame_bytes(const std::string& name, format::BlockFormat format,
                                   const cuda::DeviceBuffer& output, const cuda::DeviceBuffer& frame_bytes,
                                   std::span<const std::uint8_t> text) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, frame_bytes.to_host().data(), sizeof bytes);
  if (bytes > output.size()) throw MismatchError(name + ": no frame was written");
  std::vector<std::uint8_t> frame(bytes);
  GSST_CUDA_CHECK(cudaMemcpy(frame.data(), output.data(), bytes, cudaMemcpyDeviceToHost));
  if (!std::ranges::equal(reference::decode_file(reference::codec_of(format), frame), text)) {
    throw MismatchError(name + ": the oracle decodes the frame to another text");
  }
  return bytes;
}

}  // namespace gsst::experiments
