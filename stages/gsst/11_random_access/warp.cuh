#pragma once

#include <cstdint>

#if !defined(__CUDACC__)
#include <bit>
#endif

/// What the lanes of a warp compute together. All lanes call these functions.
namespace {

constexpr std::uint32_t warp_lanes = 32;
constexpr std::uint32_t whole_warp = 0xffffffff;

__device__ inline std::uint32_t this_lane() {
  return threadIdx.x % warp_lanes;
}

__device__ inline std::uint32_t leading_zeros(std::uint64_t word) {
#if defined(__CUDACC__)
  return static_cast<std::uint32_t>(__clzll(static_cast<long long>(word)));
#else
  return static_cast<std::uint32_t>(std::countl_zero(word));
#endif
}

/// The lowest of the lanes whose bits `lanes`, which is not 0, has.
__device__ inline std::uint32_t first_lane(std::uint32_t lanes) {
  return 63 - leading_zeros(lanes & (~lanes + 1));
}

/// The values of the lanes below the calling one, and those of all lanes, added up.
template <typename Value>
struct LaneSums {
  Value before;
  Value total;

  __device__ explicit LaneSums(Value value) {
    Value sum = value;
    for (std::uint32_t distance = 1; distance < warp_lanes; distance *= 2) {
      const Value lower = __shfl_up_sync(whole_warp, sum, distance);
      if (this_lane() >= distance) sum += lower;
    }
    before = sum - value;
    total = __shfl_sync(whole_warp, sum, static_cast<int>(warp_lanes - 1));
  }
};

/// The values of all lanes, added up. One instruction where LaneSums takes a shuffle for each bit of a lane's
/// number.
__device__ inline std::uint32_t sum_of_lanes(std::uint32_t value) {
#if defined(__CUDACC__)
  return __reduce_add_sync(whole_warp, value);
#else
  return LaneSums<std::uint32_t>(value).total;
#endif
}

/// The last of `count` numbers, which do not fall, that is at most `limit`. The first one is.
template <typename Read>
__device__ std::uint32_t find_last_at_most(std::uint32_t limit, std::uint32_t count, const Read& read) {
  std::uint32_t first = 0;
  while (count > 1) {
    const std::uint32_t step = (count + warp_lanes - 1) / warp_lanes;
    const std::uint64_t probe = std::uint64_t{this_lane()} * step;
    const bool is_at_most = probe < count && read(first + static_cast<std::uint32_t>(probe)) <= limit;
    const std::uint32_t passed = 63 - leading_zeros(__ballot_sync(whole_warp, is_at_most));
    first += passed * step;
    count -= passed * step;
    if (count > step) count = step;
  }
  return first;
}

}  // namespace
