#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"

// The threads that decode a chunk.
namespace gsst::codag {
namespace {

constexpr std::uint32_t lanes_of_warp = 32;
constexpr std::uint32_t every_lane = 0xffffffff;

// Of the calling thread in its warp.
__device__ inline std::uint32_t lane_number() {
  return threadIdx.x % lanes_of_warp;
}

// Who writes together: the calling thread among them, and how many they are.
struct WarpTeam {
  __device__ static std::uint32_t number() { return lane_number(); }
  __device__ static std::uint32_t count() { return lanes_of_warp; }
};
struct BlockTeam {
  __device__ static std::uint32_t number() { return threadIdx.x; }
  __device__ static std::uint32_t count() { return blockDim.x; }
};

}  // namespace
}  // namespace gsst::codag
