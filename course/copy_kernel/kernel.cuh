#pragma once

#include <cstdint>

#include "common/stage/shared_memory.hpp"

// Copies `count` words; each thread block writes its own in reverse order. So a thread needs what another one
// has loaded. Shared memory: a word for each thread. As many thread blocks as there are pieces of blockDim.x
// words.
namespace {

__global__ void copy_reversed(const std::uint32_t* input, std::uint32_t* output, std::uint32_t count) {
  GSST_SHARED_MEMORY(shared);
  auto* const words = reinterpret_cast<std::uint32_t*>(shared);
  const std::uint32_t first = blockIdx.x * blockDim.x;
  const std::uint32_t left = count - first;
  const std::uint32_t here = left < blockDim.x ? left : blockDim.x;
  if (threadIdx.x < here) words[threadIdx.x] = input[first + threadIdx.x];
  // All words of the block are there before any thread reads one.
  __syncthreads();
  if (threadIdx.x < here) output[first + threadIdx.x] = words[here - 1 - threadIdx.x];
}

}  // namespace
