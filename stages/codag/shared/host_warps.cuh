#pragma once

#include <cstdint>

#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "stages/codag/shared/warp_lanes.cuh"

// The host side of decoders with a warp for each chunk.
namespace gsst::codag {
namespace {

// As many thread blocks of `threads` threads, with `shared_bytes_of_warp` bytes of shared memory for each
// warp, as have a warp for each chunk.
inline stage::LaunchShape shape_of_warps(const stage::DecodeRequest& request, std::int64_t threads,
                                         std::uint32_t shared_bytes_of_warp) {
  const auto warps = static_cast<std::uint32_t>(threads) / lanes_of_warp;
  return {.thread_blocks = (request.frame.block_count + warps - 1) / warps,
          .threads_per_block = static_cast<unsigned>(threads),
          .shared_bytes = warps * shared_bytes_of_warp,
          .stream = request.stream};
}

}  // namespace
}  // namespace gsst::codag
