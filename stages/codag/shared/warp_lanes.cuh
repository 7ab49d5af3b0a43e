#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"

// The lanes of a warp, which decodes a chunk.
namespace gsst::codag {
namespace {

constexpr std::uint32_t lanes_of_warp = 32;
constexpr std::uint32_t every_lane = 0xffffffff;

// Of the calling thread in its warp.
__device__ inline std::uint32_t lane_number() {
  return threadIdx.x % lanes_of_warp;
}

}  // namespace
}  // namespace gsst::codag
