#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"

// What the threads of a grid have found in one block of the format, listed through an atomic counter: in any
// order, until one thread block brings it in order.
namespace gsst::zero_length {
namespace {

constexpr unsigned lanes_of_warp = 32;

// The CPU executor runs one thread after the other: few find the same mistakes sooner.
constexpr unsigned threads_per_block = stage::this_executor == stage::Executor::simt ? lanes_of_warp : 256;

// The list of one block. Both arrays are in the executor's memory, with room for all that can be found.
struct BlockList {
  // As they were listed, each other than all others.
  std::uint32_t* entries;
  std::uint32_t* second;
  std::uint32_t count;

  // Puts an entry behind those that other threads have put there.
  __device__ static void append(std::uint32_t* entries, unsigned* count, std::uint32_t entry) {
    entries[atomicAdd(count, 1U)] = entry;
  }
};

// Passes that merge `count` runs of one entry to a single one.
__device__ inline unsigned merging_passes(std::uint32_t count) {
  unsigned passes = 0;
  for (std::uint64_t width = 1; width < count; width *= 2) ++passes;
  return passes;
}

// Where a list is once it is in order.
struct OrderedList {
  const std::uint32_t* entries;
  // What was written up to the end of each entry.
  std::uint32_t* sums;
  std::uint32_t count;

  // Each pass has gone from one array to the other.
  __device__ explicit OrderedList(const BlockList& list) : count(list.count) {
    const bool is_in_second = merging_passes(list.count) % 2 != 0;
    entries = is_in_second ? list.second : list.entries;
    sums = is_in_second ? list.entries : list.second;
  }

  __device__ std::uint32_t sum_before(std::uint32_t number) const {
    return number == 0 ? 0 : sums[number - 1];
  }
};

// How many of `count` rising entries are less than `entry`.
__device__ inline std::uint32_t count_less(const std::uint32_t* entries, std::uint32_t count,
                                           std::uint32_t entry) {
  std::uint32_t less = 0;
  while (less < count) {
    const std::uint32_t middle = less + (count - less) / 2;
    if (entries[middle] < entry) {
      less = middle + 1;
    } else {
      count = middle;
    }
  }
  return less;
}

// Merges each two neighbours of the runs of `width` entries: an entry's new place is its place in its own run
// and the number of smaller ones in the other.
__device__ inline void merge_runs(const std::uint32_t* from, std::uint32_t* to, std::uint32_t count,
                                  std::uint64_t width) {
  for (std::uint64_t number = threadIdx.x; number < count; number += blockDim.x) {
    const std::uint64_t pair = number / (2 * width) * (2 * width);
    const std::uint64_t middle = pair + width;
    const std::uint64_t other = number < middle ? (middle < count ? middle : count) : pair;
    const std::uint64_t other_end = other + width < count ? other + width : count;
    const std::uint32_t entry = from[number];
    const std::uint32_t less = count_less(from + other, static_cast<std::uint32_t>(other_end - other), entry);
    to[number < middle ? number + less : number - width + less] = entry;
  }
}

// All threads of a thread block: brings the list in rising order. They see it behind the call.
__device__ inline OrderedList order_list(const BlockList& list) {
  std::uint32_t* from = list.entries;
  std::uint32_t* to = list.second;
  for (std::uint64_t width = 1; width < list.count; width *= 2) {
    merge_runs(from, to, list.count, width);
    __syncthreads();
    std::uint32_t* const merged = to;
    to = from;
    from = merged;
  }
  return OrderedList(list);
}

// Sums that do not fit are the largest number, which is more than any block has bytes.
__device__ inline std::uint32_t sum_of_two(std::uint32_t one, std::uint32_t other) {
  const std::uint32_t sum = one + other;
  return sum < one ? 0xffffffff : sum;
}

// All threads of a thread block: makes each value the sum of those up to it, by a tree of sums that is built
// upwards and then read downwards. A level reads no value that it writes.
__device__ inline void sum_up(std::uint32_t* values, std::uint32_t count) {
  const auto add_at_distance = [&](std::uint64_t first, std::uint64_t distance) {
    const std::uint64_t step = 2 * distance;
    for (std::uint64_t number = first + step * threadIdx.x; number < count; number += step * blockDim.x) {
      values[number] = sum_of_two(values[number - distance], values[number]);
    }
    __syncthreads();
  };
  std::uint64_t distance = 1;
  for (; distance < count; distance *= 2) add_at_distance(2 * distance - 1, distance);
  for (; distance != 0; distance /= 2) add_at_distance(3 * distance - 1, distance);
}

}  // namespace
}  // namespace gsst::zero_length
