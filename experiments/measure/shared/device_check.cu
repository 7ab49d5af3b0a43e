#include "experiments/measure/shared/device_check.hpp"

#include "common/cuda/device_buffer.hpp"
#include "common/cuda/error.hpp"

namespace gsst::experiments {
namespace {

constexpr unsigned thread_blocks = 2048;
constexpr unsigned threads_per_block = 256;

__global__ void invert(std::uint8_t* output, const std::uint8_t* expected, std::size_t bytes) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < bytes; i += stride) {
    output[i] = static_cast<std::uint8_t>(~expected[i]);
  }
}

__global__ void compare(const std::uint8_t* output, const std::uint8_t* expected, std::size_t bytes,
                        unsigned long long* differences) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  unsigned long long found = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < bytes; i += stride) {
    found += output[i] != expected[i] ? 1 : 0;
  }
  if (found != 0) atomicAdd(differences, found);
}

}  // namespace

void poison_on_device(std::uint8_t* output, const std::uint8_t* expected, std::size_t bytes) {
  invert<<<thread_blocks, threads_per_block>>>(output, expected, bytes);
  GSST_CUDA_CHECK(cudaGetLastError());
  GSST_CUDA_CHECK(cudaDeviceSynchronize());
}

std::uint64_t count_differences(const std::uint8_t* output, const std::uint8_t* expected, std::size_t bytes) {
  cuda::DeviceBuffer count(sizeof(unsigned long long));
  count.fill(0);
  compare<<<thread_blocks, threads_per_block>>>(output, expected, bytes,
                                                reinterpret_cast<unsigned long long*>(count.data()));
  GSST_CUDA_CHECK(cudaGetLastError());
  unsigned long long differences = 0;
  GSST_CUDA_CHECK(cudaMemcpy(&differences, count.data(), sizeof(differences), cudaMemcpyDeviceToHost));
  return differences;
}

}  // namespace gsst::experiments
