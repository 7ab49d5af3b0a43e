#include "common/cuda/device_buffer.hpp"

#include <cuda_runtime_api.h>

#include <utility>

#include "common/cuda/error.hpp"

namespace gsst::cuda {

DeviceBuffer::DeviceBuffer(std::size_t size) : size_(size) {
  if (size == 0) return;
  void* data = nullptr;
  GSST_CUDA_CHECK(cudaMalloc(&data, size));
  data_ = static_cast<std::uint8_t*>(data);
}

DeviceBuffer::DeviceBuffer(std::span<const std::uint8_t> bytes) : DeviceBuffer(bytes.size()) {
  if (!bytes.empty()) GSST_CUDA_CHECK(cudaMemcpy(data_, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
}

// A destructor must not throw; a failed free shows in the next checked call.
DeviceBuffer::~DeviceBuffer() {
  cudaFree(data_);
}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

void DeviceBuffer::fill(std::uint8_t value) {
  if (size_ == 0) return;
  GSST_CUDA_CHECK(cudaMemset(data_, value, size_));
  GSST_CUDA_CHECK(cudaDeviceSynchronize());
}

std::vector<std::uint8_t> DeviceBuffer::to_host() const {
  std::vector<std::uint8_t> bytes(size_);
  if (size_ != 0) GSST_CUDA_CHECK(cudaMemcpy(bytes.data(), data_, size_, cudaMemcpyDeviceToHost));
  return bytes;
}

}  // namespace gsst::cuda
