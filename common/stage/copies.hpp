#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "common/stage/launch.hpp"

/// Copies between the host's memory and the executor's, compiled for each executor as launch.hpp is.
namespace gsst::stage {

#if defined(__CUDACC__)
inline namespace on_gpu {

/// Enqueues the copy of `from` (host memory, which may go when the call returns) to `to`.
template <typename Value>
void copy_to_executor(Value* to, std::span<const Value> from, void* stream) {
  if (from.empty()) return;
  GSST_CUDA_CHECK(cudaMemcpyAsync(to, from.data(), from.size_bytes(), cudaMemcpyHostToDevice,
                                  static_cast<cudaStream_t>(stream)));
}

/// Copies `from`, of to.size() values, to `to` (host memory) and waits for it.
template <typename Value>
void copy_to_host(std::span<Value> to, const Value* from, void* stream) {
  if (to.empty()) return;
  GSST_CUDA_CHECK(cudaMemcpyAsync(to.data(), from, to.size_bytes(), cudaMemcpyDeviceToHost,
                                  static_cast<cudaStream_t>(stream)));
  GSST_CUDA_CHECK(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)));
}

}  // namespace on_gpu
#else
inline namespace on_simt {

/// Copies `from` to `to`.
template <typename Value>
void copy_to_executor(Value* to, std::span<const Value> from, void* /*stream*/) {
  if (!from.empty()) std::memcpy(to, from.data(), from.size_bytes());
}

/// Copies `from`, of to.size() values, to `to`.
template <typename Value>
void copy_to_host(std::span<Value> to, const Value* from, void* /*stream*/) {
  if (!to.empty()) std::memcpy(to.data(), from, to.size_bytes());
}

}  // namespace on_simt
#endif

}  // namespace gsst::stage
