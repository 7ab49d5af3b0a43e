#pragma once

#include <cstdint>

#include "stages/search/shared/search_on_device.hpp"

// How lanes report the matches that they find.
namespace gsst::search::kernels {
namespace {

constexpr std::uint32_t all_lanes = 0xffffffff;

__device__ __forceinline__ std::uint32_t count_bits(std::uint32_t word) {
#if defined(__CUDACC__)
  return static_cast<std::uint32_t>(__popc(word));
#else
  return static_cast<std::uint32_t>(__builtin_popcount(word));
#endif
}

// The matches of a lane. The first two wait for those of the other lanes, so that one addition to the count
// makes room for all of them.
class LaneMatches {
public:
  __device__ explicit LaneMatches(const Answer& answer) : answer_(answer) {}

  // A match that begins at `position`.
  __device__ __forceinline__ void add(std::uint64_t position) {
    if (answer_.positions == nullptr) {
      ++counted_;
    } else if (waiting_ < most_waiting) {
      positions_[1] = positions_[0];
      positions_[0] = position;
      ++waiting_;
    } else {
      write(atomicAdd(answer_.count, 1ull), position);
    }
  }

  // Matches whose positions nobody wants.
  __device__ __forceinline__ void add_counted(std::uint32_t count) { counted_ += count; }

  // Writes the positions that wait. All lanes of a warp call it together, before any has more than a few.
  __device__ __forceinline__ void write_waiting(std::uint32_t lane) {
    if (answer_.positions == nullptr) return;
    const std::uint32_t with_one = __ballot_sync(all_lanes, waiting_ > 0);
    if (with_one == 0) return;
    const std::uint32_t with_two = __ballot_sync(all_lanes, waiting_ > 1);
    unsigned long long first = 0;
    if (lane == 0) {
      first = atomicAdd(answer_.count, static_cast<unsigned long long>(count_bits(with_one)) +
                                           static_cast<unsigned long long>(count_bits(with_two)));
    }
    first = __shfl_sync(all_lanes, first, 0);
    const std::uint32_t lower_lanes = (1u << lane) - 1;
    if (waiting_ > 0) write(first + count_bits(with_one & lower_lanes), positions_[0]);
    if (waiting_ > 1) {
      write(first + count_bits(with_one) + count_bits(with_two & lower_lanes), positions_[1]);
    }
    waiting_ = 0;
  }

  // Adds what was only counted. All lanes of a warp call it together, at the end.
  __device__ __forceinline__ void write_count(std::uint32_t lane) {
    if (answer_.positions != nullptr) return;
    unsigned long long sum = counted_;
#pragma unroll
    for (std::uint32_t distance = 16; distance > 0; distance /= 2) {
      sum += __shfl_xor_sync(all_lanes, sum, static_cast<int>(distance));
    }
    if (lane == 0 && sum != 0) atomicAdd(answer_.count, sum);
  }

private:
  static constexpr std::uint32_t most_waiting = 2;

  __device__ __forceinline__ void write(std::uint64_t place, std::uint64_t position) const {
    if (place < answer_.capacity) answer_.positions[place] = position;
  }

  const Answer& answer_;
  unsigned long long counted_ = 0;
  std::uint32_t waiting_ = 0;
  std::uint64_t positions_[most_waiting] = {};
};

}  // namespace
}  // namespace gsst::search::kernels
