#include "common/pipeline/buffer.hpp"

#include <new>
#include <stdexcept>

#if GSST_WITH_CUDA
#include <cuda_runtime_api.h>

#include "common/cuda/error.hpp"
#endif

namespace gsst::pipeline {
namespace {

std::shared_ptr<std::uint8_t[]> allocate_plain(std::size_t size) {
  return std::make_shared_for_overwrite<std::uint8_t[]>(size);
}

#if GSST_WITH_CUDA
// Memory that has run out is the same problem on the device as on the host.
void check_allocation(cudaError_t code) {
  if (code == cudaErrorMemoryAllocation) {
    // Else the next call that is checked would report this error again.
    cudaGetLastError();
    throw std::bad_alloc();
  }
  GSST_CUDA_CHECK(code);
}

// A deleter must not throw; a failed free shows in the next checked call.
std::shared_ptr<std::uint8_t[]> allocate_page_locked(std::size_t size) {
  void* data = nullptr;
  if (size != 0) check_allocation(cudaMallocHost(&data, size));
  return {static_cast<std::uint8_t*>(data), [](std::uint8_t* memory) { cudaFreeHost(memory); }};
}

std::shared_ptr<std::uint8_t[]> allocate_on_gpu(std::size_t size) {
  void* data = nullptr;
  if (size != 0) check_allocation(cudaMalloc(&data, size));
  return {static_cast<std::uint8_t*>(data), [](std::uint8_t* memory) { cudaFree(memory); }};
}
#else
std::shared_ptr<std::uint8_t[]> allocate_page_locked(std::size_t /*size*/) {
  throw std::invalid_argument("this program has no CUDA code");
}

std::shared_ptr<std::uint8_t[]> allocate_on_gpu(std::size_t size) {
  return allocate_page_locked(size);
}
#endif

}  // namespace

Buffer Buffer::on_host(stage::Executor executor, std::size_t size) {
  return {executor == stage::Executor::gpu ? allocate_page_locked(size) : allocate_plain(size), size};
}

Buffer Buffer::pageable(std::size_t size) {
  return {allocate_plain(size), size};
}

Buffer Buffer::on_device(stage::Executor executor, std::size_t size) {
  return {executor == stage::Executor::gpu ? allocate_on_gpu(size) : allocate_plain(size), size};
}

}  // namespace gsst::pipeline
