#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "common/stage/stage.hpp"

#if defined(__CUDACC__)
#include <set>
#include <utility>

#include "common/cuda/error.hpp"
#else
#include "common/simt/cuda_on_cpu.hpp"
#endif

/// What a stage's host side needs of an executor. The same source is compiled for each of them, so the
/// functions live in a namespace of their own for each: `stage::launch` is whichever this file is compiled
/// for.
namespace gsst::stage {

/// How a kernel is launched: one-dimensional, as all stages are.
struct LaunchShape {
  unsigned thread_blocks;
  unsigned threads_per_block;
  /// Bytes of shared memory a block.
  std::size_t shared_bytes;
  void* stream;
};

#if defined(__CUDACC__)
inline namespace on_gpu {

inline constexpr Executor this_executor = Executor::gpu;

/// The current device. Throws cuda::CudaError.
inline int current_device() {
  int device = 0;
  GSST_CUDA_CHECK(cudaGetDevice(&device));
  return device;
}

/// Most bytes of shared memory that a thread block can have on the current device.
inline std::size_t max_shared_bytes() {
  int bytes = 0;
  GSST_CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, current_device()));
  return static_cast<std::size_t>(bytes);
}

/// Allows launches of `kernel` with `shared_bytes` bytes of dynamic shared memory on the current device: more
/// than 48 KB have to be asked for. The limit belongs to the kernel, for all threads of the program. So each
/// thread sets it to the most that the device has, once for each device: set to the needs of one launch, it
/// would refuse the larger one of another thread. Throws cuda::CudaError.
inline void allow_shared_bytes(const void* kernel, std::size_t shared_bytes) {
  if (shared_bytes <= std::size_t{48} * 1024) return;
  thread_local std::set<std::pair<const void*, int>> allowed_kernels;
  const std::pair key(kernel, current_device());
  if (allowed_kernels.contains(key)) return;
  cudaFuncAttributes attributes = {};
  GSST_CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
  GSST_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(max_shared_bytes() - attributes.sharedSizeBytes)));
  allowed_kernels.insert(key);
}

/// Enqueues kernel(arguments...). Throws cuda::CudaError if the launch is refused.
template <typename... Parameters, typename... Arguments>
void launch(const LaunchShape& shape, void (*kernel)(Parameters...), const Arguments&... arguments) {
  allow_shared_bytes(reinterpret_cast<const void*>(kernel), shape.shared_bytes);
  kernel<<<shape.thread_blocks, shape.threads_per_block, shape.shared_bytes,
           static_cast<cudaStream_t>(shape.stream)>>>(arguments...);
  GSST_CUDA_CHECK(cudaGetLastError());
}

/// The thread blocks of this shape that the current device runs at the same time.
template <typename... Parameters>
std::uint32_t resident_thread_blocks(unsigned threads_per_block, std::size_t shared_bytes,
                                     void (*kernel)(Parameters...)) {
  allow_shared_bytes(reinterpret_cast<const void*>(kernel), shared_bytes);
  int multiprocessors = 0;
  GSST_CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, current_device()));
  int blocks_per_multiprocessor = 0;
  GSST_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &blocks_per_multiprocessor, kernel, static_cast<int>(threads_per_block), shared_bytes));
  return static_cast<std::uint32_t>(multiprocessors * blocks_per_multiprocessor);
}

/// Enqueues setting `bytes` bytes at `memory` to 0.
inline void clear(void* memory, std::size_t bytes, void* stream) {
  GSST_CUDA_CHECK(cudaMemsetAsync(memory, 0, bytes, static_cast<cudaStream_t>(stream)));
}

/// As clear() for `count` pieces of `bytes` bytes, `stride` bytes from one to the next.
inline void clear_pieces(void* memory, std::size_t stride, std::size_t bytes, std::size_t count,
                         void* stream) {
  GSST_CUDA_CHECK(cudaMemset2DAsync(memory, stride, 0, bytes, count, static_cast<cudaStream_t>(stream)));
}

}  // namespace on_gpu
#else
inline namespace on_simt {

inline constexpr Executor this_executor = Executor::simt;

/// Runs kernel(arguments...) for each thread of the grid. Throws simt::KernelError.
template <typename... Parameters, typename... Arguments>
void launch(const LaunchShape& shape, void (*kernel)(Parameters...), const Arguments&... arguments) {
  simt::run_grid({.grid = {.x = shape.thread_blocks},
                  .block = {.x = shape.threads_per_block},
                  .shared_bytes = shape.shared_bytes},
                 [&] { kernel(arguments...); });
}

/// The CPU executor runs one thread block after the other.
template <typename... Parameters>
std::uint32_t resident_thread_blocks(unsigned /*threads_per_block*/, std::size_t /*shared_bytes*/,
                                     void (* /*kernel*/)(Parameters...)) {
  return 1;
}

/// Most bytes of shared memory that a thread block can have.
inline std::size_t max_shared_bytes() {
  return simt::max_shared_bytes;
}

/// Sets `bytes` bytes at `memory` to 0.
inline void clear(void* memory, std::size_t bytes, void* /*stream*/) {
  std::memset(memory, 0, bytes);
}

/// As clear() for `count` pieces of `bytes` bytes, `stride` bytes from one to the next.
inline void clear_pieces(void* memory, std::size_t stride, std::size_t bytes, std::size_t count,
                         void* /*stream*/) {
  auto* const piece = static_cast<std::uint8_t*>(memory);
  for (std::size_t i = 0; i < count; ++i) std::memset(piece + i * stride, 0, bytes);
}

}  // namespace on_simt
#endif

}  // namespace gsst::stage
