// Stands in for the CUDA runtime in counted_allocation_test. A file of its own: the linker wraps only what is
// called from another one.
#include <cuda_runtime_api.h>

#include <array>

namespace {

std::array<char, 64> memory = {};

cudaError_t allocate(void** address, std::size_t bytes) {
  if (bytes > memory.size()) return cudaErrorMemoryAllocation;
  *address = memory.data();
  return cudaSuccess;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming)
extern "C" {
cudaError_t cudaMalloc(void** address, std::size_t bytes) {
  return allocate(address, bytes);
}
cudaError_t cudaMallocAsync(void** address, std::size_t bytes, cudaStream_t /*stream*/) {
  return allocate(address, bytes);
}
cudaError_t cudaMallocFromPoolAsync(void** address, std::size_t bytes, cudaMemPool_t /*pool*/,
                                    cudaStream_t /*stream*/) {
  return allocate(address, bytes);
}
cudaError_t cudaMallocManaged(void** address, std::size_t bytes, unsigned /*flags*/) {
  return allocate(address, bytes);
}
cudaError_t cudaFree(void* /*address*/) {
  return cudaSuccess;
}
cudaError_t cudaFreeAsync(void* /*address*/, cudaStream_t /*stream*/) {
  return cudaSuccess;
}
}
// NOLINTEND(readability-identifier-naming)
