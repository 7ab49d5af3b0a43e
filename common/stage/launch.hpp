#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "common/stage/stage.hpp"

#if defined(__CUDACC__)
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

/// Enqueues kernel(arguments...). Throws cuda::CudaError if the launch is refused.
template <typename... Parameters, typename... Arguments>
void launch(const LaunchShape& shape, void (*kernel)(Parameters...), const Arguments&... arguments) {
  // More than 48 KB of shared memory has to be asked for by kernel.
  if (shape.shared_bytes > 48 * 1024) {
    GSST_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                         static_cast<int>(shape.shared_bytes)));
  }
  kernel<<<shape.thread_blocks, shape.threads_per_block, shape.shared_bytes,
           static_cast<cudaStream_t>(shape.stream)>>>(arguments...);
  GSST_CUDA_CHECK(cudaGetLastError());
}

/// Enqueues setting `bytes` bytes at `memory` to 0.
inline void clear(void* memory, std::size_t bytes, void* stream) {
  GSST_CUDA_CHECK(cudaMemsetAsync(memory, 0, bytes, static_cast<cudaStream_t>(stream)));
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

/// Sets `bytes` bytes at `memory` to 0.
inline void clear(void* memory, std::size_t bytes, void* /*stream*/) {
  std::memset(memory, 0, bytes);
}

}  // namespace on_simt
#endif

}  // namespace gsst::stage
