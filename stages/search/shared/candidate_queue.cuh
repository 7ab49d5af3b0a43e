#pragma once

#include <cstdint>

#include "stages/search/shared/exact_matches.cuh"
#include "stages/search/shared/lane_codes.cuh"
#include "stages/search/shared/lane_offsets.cuh"
#include "stages/search/shared/matches.cuh"
#include "stages/search/shared/rare_call.hpp"
#include "stages/search/shared/search_on_device.hpp"

// A queue of a warp, in shared memory: codes that may have a match wait there until each lane can verify one.
namespace gsst::search::kernels {
namespace {

// Lanes that wait are verified when there are as many as a warp has; as many may come at once.
constexpr std::uint32_t queue_places = 64;

// Codes that may have the last byte of a window: those of a lane from a group on.
struct alignas(8) Candidate {
  std::uint32_t block;
  // A block has at most 2^23 tiles: at least 512 codes each.
  std::uint32_t tile_lane_group;

  __device__ __forceinline__ std::uint32_t tile() const { return tile_lane_group >> 7; }
  __device__ __forceinline__ std::uint32_t lane() const { return tile_lane_group >> 2 & 31; }
  // How many of the lane's codes are in front of them.
  __device__ __forceinline__ std::uint32_t before_window() const {
    return (tile_lane_group & 3) * group_codes;
  }
};

// Where in the block's text the output of the lane's candidate, one of the warp's first `count`, starts. The
// warp adds the lengths of codes together, once for consecutive candidates of a tile.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
__device__ __forceinline__ std::uint32_t candidate_offset(const SearchOnDevice& search,
                                                          const Candidate& candidate, std::uint32_t count) {
  const std::uint32_t lane = threadIdx.x % 32;
  std::uint32_t offset = 0;
  std::uint32_t last_block = 0;
  std::uint32_t last_tile = 0;
  std::uint32_t in_tile = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto source = static_cast<int>(i);
    const std::uint32_t block = __shfl_sync(all_lanes, candidate.block, source);
    const std::uint32_t tile = __shfl_sync(all_lanes, candidate.tile(), source);
    if (i == 0 || block != last_block || tile != last_tile) {
      in_tile = lane_offset<CodeBits, CodesPerLane, Aligned>(search, block, tile, lane);
    }
    last_block = block;
    last_tile = tile;
    const std::uint32_t of_lane =
        __shfl_sync(all_lanes, in_tile, static_cast<int>(__shfl_sync(all_lanes, candidate.lane(), source)));
    if (lane == i) offset = of_lane;
  }
  if (lane >= count) return 0;
  const SearchedBlock& block = search.blocks[candidate.block];
  LaneCodes<CodeBits, CodesPerLane> codes;
  codes.template load<Aligned>(search.frame + block.tile(candidate.tile()), candidate.lane());
  return offset + output_bytes(block, codes, candidate.before_window());
}

// Looks for the pattern in the codes of the first `count` candidates of the warp's queue, at most one a lane.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
__device__ GSST_RARE_CALL void verify_candidates(const SearchOnDevice& search, const std::uint64_t* exact,
                                                 const Candidate* queue, std::uint32_t count,
                                                 LaneMatches& matches) {
  const std::uint32_t lane = threadIdx.x % 32;
  __syncwarp();
  Candidate candidate{};
  if (lane < count) candidate = queue[lane];
  std::uint32_t offset = 0;
  if (search.answer.positions != nullptr) {
    offset = candidate_offset<CodeBits, CodesPerLane, Aligned>(search, candidate, count);
  }
  if (lane < count) {
    constexpr std::uint32_t tile_codes = LaneCodes<CodeBits, CodesPerLane>::shape().codes();
    const std::uint32_t first_code = candidate.tile() * tile_codes + candidate.lane() * CodesPerLane;
    find_in_codes<CodeBits, CodesPerLane, Aligned>(search, exact, candidate.block,
                                                   first_code + candidate.before_window(),
                                                   first_code + CodesPerLane, offset, matches);
  }
  __syncwarp();
  matches.write_waiting(lane);
}

}  // namespace
}  // namespace gsst::search::kernels
