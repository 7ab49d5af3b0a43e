// The linker puts these in the place of every call of the CUDA runtime that allocates or frees device memory,
// wherever it stands in the program (CMakeLists.txt, --wrap): none escapes allocation_log().
#include <cuda_runtime_api.h>

#include "experiments/measure_memory/allocation_log.hpp"

namespace {

using gsst::experiments::allocation_log;

cudaError_t counted(cudaError_t result, void* const* address, std::size_t bytes) {
  if (result == cudaSuccess && *address != nullptr) allocation_log().add(*address, bytes);
  return result;
}

}  // namespace

// The names are the linker's.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

cudaError_t __real_cudaMalloc(void** address, std::size_t bytes);
cudaError_t __real_cudaMallocAsync(void** address, std::size_t bytes, cudaStream_t stream);
cudaError_t __real_cudaMallocFromPoolAsync(void** address, std::size_t bytes, cudaMemPool_t pool,
                                           cudaStream_t stream);
cudaError_t __real_cudaMallocManaged(void** address, std::size_t bytes, unsigned flags);
cudaError_t __real_cudaFree(void* address);
cudaError_t __real_cudaFreeAsync(void* address, cudaStream_t stream);

cudaError_t __wrap_cudaMalloc(void** address, std::size_t bytes) {
  return counted(__real_cudaMalloc(address, bytes), address, bytes);
}

cudaError_t __wrap_cudaMallocAsync(void** address, std::size_t bytes, cudaStream_t stream) {
  return counted(__real_cudaMallocAsync(address, bytes, stream), address, bytes);
}

cudaError_t __wrap_cudaMallocFromPoolAsync(void** address, std::size_t bytes, cudaMemPool_t pool,
                                           cudaStream_t stream) {
  return counted(__real_cudaMallocFromPoolAsync(address, bytes, pool, stream), address, bytes);
}

cudaError_t __wrap_cudaMallocManaged(void** address, std::size_t bytes, unsigned flags) {
  return counted(__real_cudaMallocManaged(address, bytes, flags), address, bytes);
}

cudaError_t __wrap_cudaFree(void* address) {
  allocation_log().remove(address);
  return __real_cudaFree(address);
}

cudaError_t __wrap_cudaFreeAsync(void* address, cudaStream_t stream) {
  allocation_log().remove(address);
  return __real_cudaFreeAsync(address, stream);
}

// No stage uses these, whose sizes the device decides: one that did would fail instead of not being counted.
cudaError_t __wrap_cudaMallocPitch(void** /*address*/, std::size_t* /*pitch*/, std::size_t /*width*/,
                                   std::size_t /*height*/) {
  return cudaErrorNotSupported;
}

cudaError_t __wrap_cudaMallocArray(cudaArray_t* /*array*/, const cudaChannelFormatDesc* /*format*/,
                                   std::size_t /*width*/, std::size_t /*height*/, unsigned /*flags*/) {
  return cudaErrorNotSupported;
}

cudaError_t __wrap_cudaMalloc3D(cudaPitchedPtr* /*address*/, cudaExtent /*extent*/) {
  return cudaErrorNotSupported;
}

cudaError_t __wrap_cudaMalloc3DArray(cudaArray_t* /*array*/, const cudaChannelFormatDesc* /*format*/,
                                     cudaExtent /*extent*/, unsigned /*flags*/) {
  return cudaErrorNotSupported;
}

cudaError_t __wrap_cudaMallocMipmappedArray(cudaMipmappedArray_t* /*array*/,
                                            const cudaChannelFormatDesc* /*format*/, cudaExtent /*extent*/,
                                            unsigned /*levels*/, unsigned /*flags*/) {
  return cudaErrorNotSupported;
}

cudaError_t __wrap_cudaGraphAddMemAllocNode(cudaGraphNode_t* /*node*/, cudaGraph_t /*graph*/,
                                            const cudaGraphNode_t* /*dependencies*/, std::size_t /*count*/,
                                            cudaMemAllocNodeParams* /*parameters*/) {
  return cudaErrorNotSupported;
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)
