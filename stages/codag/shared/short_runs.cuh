#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/shared/lane_masks.cuh"
#include "stages/codag/shared/plain_values.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// Up to 32 runs, one in each lane, are written together.
namespace gsst::codag {
namespace {

// Of the calling lane: `count` values, `first` and each next one larger by `delta`. Lanes without a run have
// a count of 0, and follow those that have one.
struct RunOfLane {
  std::uint64_t first;
  std::int32_t delta;
  std::uint32_t count;
};

// All lanes: writes the `count` values of all runs, from value `place` on.
__device__ inline void write_runs(const RunOfLane& run, std::uint32_t place, std::uint32_t count,
                                  const PlainValues<>& values) {
  const std::uint32_t lane = lane_number();
  const std::uint32_t start = sum_up_to_lane(run.count) - run.count;
  const auto delta = static_cast<std::uint64_t>(std::int64_t{run.delta});
  // As if the run began with the first value of all.
  const std::uint64_t origin = run.first - delta * start;
  // Runs that start before value `group`.
  std::uint32_t earlier = 0;
  for (std::uint32_t group = 0; group < count; group += lanes_of_warp) {
    const bool starts_here = run.count != 0 && start - group < lanes_of_warp;
    const std::uint32_t starts = bits_of_all(starts_here ? std::uint32_t{1} << (start - group) : 0);
    const auto source =
        static_cast<int>(earlier + count_of_ones(starts & (lower_lanes() | std::uint32_t{1} << lane)) - 1);
    const auto step = static_cast<std::uint64_t>(std::int64_t{__shfl_sync(every_lane, run.delta, source)});
    const std::uint64_t value = __shfl_sync(every_lane, origin, source) + step * (group + lane);
    if (group + lane < count) values.store(place + group + lane, value);
    earlier += count_of_ones(starts);
  }
}

}  // namespace
}  // namespace gsst::codag
