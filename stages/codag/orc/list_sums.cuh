#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/orc/orc_batch.hpp"
#include "stages/codag/shared/lane_masks.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// Where the parts of a whole begin.
namespace gsst::codag::orc {
namespace {

// All lanes: the sums of the numbers of a list before each, and of all.
__device__ inline void sum_up_list(const BatchList& list, const std::uint32_t* numbers, std::uint32_t* begins,
                                   std::uint32_t& total) {
  std::uint32_t sum = 0;
  for (std::uint32_t group = 0; group < list.count; group += lanes_of_warp) {
    const std::uint32_t i = group + lane_number();
    const std::uint32_t number = i < list.count ? numbers[list.first + i] : 0;
    const std::uint32_t end = sum + sum_up_to_lane(number);
    if (i < list.count) begins[list.first + i] = end - number;
    sum = __shfl_sync(every_lane, end, lanes_of_warp - 1);
  }
  if (lane_number() == 0) total = sum;
}

}  // namespace
}  // namespace gsst::codag::orc
