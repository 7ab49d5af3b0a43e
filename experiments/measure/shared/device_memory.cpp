#include "experiments/measure/shared/device_memory.hpp"

#include <cuda_runtime_api.h>

#include "common/cuda/error.hpp"

namespace gsst::experiments {
namespace {

cudaMemPool_t default_pool() {
  int device = 0;
  GSST_CUDA_CHECK(cudaGetDevice(&device));
  cudaMemPool_t pool = nullptr;
  GSST_CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
  return pool;
}

std::size_t free_bytes() {
  std::size_t free = 0;
  std::size_t total = 0;
  GSST_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  return free;
}

}  // namespace

DeviceMemoryWatch::DeviceMemoryWatch() {
  GSST_CUDA_CHECK(cudaDeviceSynchronize());
  cudaMemPool_t const pool = default_pool();
  GSST_CUDA_CHECK(cudaMemPoolTrimTo(pool, 0));
  // Sets it to what is in use now; no other value is allowed.
  std::uint64_t zero = 0;
  GSST_CUDA_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
  free_bytes_ = free_bytes();
}

DeviceMemoryUse DeviceMemoryWatch::use() const {
  std::uint64_t most = 0;
  GSST_CUDA_CHECK(cudaMemPoolGetAttribute(default_pool(), cudaMemPoolAttrUsedMemHigh, &most));
  const std::size_t free = free_bytes();
  return {.pool_bytes = most, .free_memory_drop_bytes = free < free_bytes_ ? free_bytes_ - free : 0};
}

}  // namespace gsst::experiments
