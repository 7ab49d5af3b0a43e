#pragma once

#include <cstdint>

#include "common/stage/shared_memory.hpp"

// copy_reversed of kernel.cuh, three times, each time with one mistake.
namespace {
namespace planted_1 {

__global__ void copy_reversed(const std::uint32_t* input, std::uint32_t* output, std::uint32_t count) {
  GSST_SHARED_MEMORY(shared);
  auto* const words = reinterpret_cast<std::uint32_t*>(shared);
  const std::uint32_t first = blockIdx.x * blockDim.x;
  const std::uint32_t left = count - first;
  const std::uint32_t here = left < blockDim.x ? left : blockDim.x;
  if (threadIdx.x < here) words[threadIdx.x] = input[first + threadIdx.x];
  if (threadIdx.x < here) output[first + threadIdx.x] = words[here - 1 - threadIdx.x];
}

}  // namespace planted_1

namespace planted_2 {

__global__ void copy_reversed(const std::uint32_t* input, std::uint32_t* output, std::uint32_t count) {
  GSST_SHARED_MEMORY(shared);
  auto* const words = reinterpret_cast<std::uint32_t*>(shared);
  const std::uint32_t first = blockIdx.x * blockDim.x;
  const std::uint32_t left = count - first;
  const std::uint32_t here = left < blockDim.x ? left : blockDim.x;
  if (threadIdx.x < here) words[threadIdx.x] = input[first + threadIdx.x];
  __syncthreads();
  if (threadIdx.x < here) output[first + threadIdx.x] = words[here - threadIdx.x];
}

}  // namespace planted_2

namespace planted_3 {

__global__ void copy_reversed(const std::uint32_t* input, std::uint32_t* output, std::uint32_t count) {
  GSST_SHARED_MEMORY(shared);
  auto* const words = reinterpret_cast<std::uint32_t*>(shared);
  const std::uint32_t first = blockIdx.x * blockDim.x;
  const std::uint32_t left = count - first;
  const std::uint32_t here = left < blockDim.x ? left : blockDim.x;
  if (threadIdx.x < here) {
    words[threadIdx.x] = input[first + threadIdx.x];
    __syncthreads();
  } else {
    __syncthreads();
  }
  if (threadIdx.x < here) output[first + threadIdx.x] = words[here - 1 - threadIdx.x];
}

}  // namespace planted_3
}  // namespace
