#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/shared/lane_masks.cuh"
#include "stages/codag/shared/substream_copies.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// Matches that need one another, copied together: a byte of output for each lane, which follows pointers.
namespace gsst::codag {
namespace {

// All lanes of a warp: the lane where each lane's chain ends, for the lane that each needs, itself at an end.
// Each pointer becomes that of the lane it points to, so that a chain of 32 takes five rounds.
__device__ inline std::uint32_t end_of_chain(std::uint32_t needed) {
  for (;;) {
    const std::uint32_t next = __shfl_sync(every_lane, needed, static_cast<int>(needed));
    if (__any_sync(every_lane, next != needed) == 0) return needed;
    needed = next;
  }
}

// What becomes of matches of which hardly any can be copied. As ChainsInOrder.
struct ChainsDoubled {
  // So few are copied in less time one after the other.
  static constexpr std::uint32_t few_matches = ChainsInOrder::most_matches_at_once;

  // All lanes of a warp: copies all of `left`, or a few.
  __device__ static std::uint32_t copy(StagedOutput& staged, const StagedPlace& piece,
                                       const QueuedMatch& match, std::uint32_t left) {
    if (count_of_ones(left) <= few_matches) return ChainsInOrder::copy(staged, piece, match, left);
    const std::uint32_t first = lowest_one(left) - 1;
    const std::uint32_t begin = __shfl_sync(every_lane, match.place, static_cast<int>(first));
    const std::uint32_t end =
        __shfl_sync(every_lane, match.place + match.length, static_cast<int>(highest_one(left) - 1));
    // Of the match that a byte may be of: matches before the window's begin.
    std::uint32_t earlier = first;
    for (std::uint32_t window = begin; window < end; window += lanes_of_warp) {
      earlier += copy_window(staged, piece, match, {window, end}, earlier);
    }
    return left;
  }

private:
  struct Window {
    std::uint32_t begin;
    // Of all windows.
    std::uint32_t end;
  };

  // All lanes: completes the next 32 bytes where all before them are right, matches that were copied before
  // once more. How many matches begin in them; `earlier` ones begin before.
  __device__ static std::uint32_t copy_window(StagedOutput& staged, const StagedPlace& piece,
                                              const QueuedMatch& match, const Window& window,
                                              std::uint32_t earlier) {
    const std::uint32_t lane = lane_number();
    const std::uint32_t first_byte = match.place - window.begin;
    const bool begins_here = match.length != 0 && first_byte < lanes_of_warp;
    const std::uint32_t begins = bits_of_all(begins_here ? std::uint32_t{1} << first_byte : 0);
    const std::uint32_t number = earlier + count_of_ones(begins & (lower_lanes() * 2 + 1)) - 1;
    // Its end, with the distance: an end has as many bits as a place.
    const std::uint32_t match_end = match.place + match.length;
    const std::uint32_t own_match = __shfl_sync(
        every_lane, match_end << queued_distance_bits | (match.distance - 1), static_cast<int>(number));
    const std::uint32_t place = window.begin + lane;
    const bool is_copied = place < own_match >> queued_distance_bits && place < window.end;
    std::uint8_t* const bytes = staged.bytes();
    // A byte of a match is the one its distance before it, which may be one of the same match.
    std::uint32_t needed = lane;
    std::uint32_t byte = 0;
    if (is_copied) {
      const std::uint32_t distance = (own_match & ((1U << queued_distance_bits) - 1)) + 1;
      const auto source = static_cast<std::int32_t>(place - distance);
      if (distance <= lane) {
        needed = lane - distance;
      } else {
        byte = source < static_cast<std::int32_t>(piece.begin) ? piece.origin[source] : bytes[source];
      }
    } else if (place < window.end) {
      byte = bytes[place];
    }
    byte = __shfl_sync(every_lane, byte, static_cast<int>(end_of_chain(needed)));
    if (is_copied) bytes[place] = static_cast<std::uint8_t>(byte);
    __syncwarp();
    return count_of_ones(begins);
  }
};

}  // namespace
}  // namespace gsst::codag
