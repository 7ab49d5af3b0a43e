#pragma once

#include <cstdint>

#include "common/format/gsst/block_header.hpp"
#include "stages/gsst/11_random_access/request.hpp"
#include "stages/gsst/11_random_access/warp.cuh"

/// How ranges become pieces of work of about the same size. Each block of a frame is cut at multiples of
/// slice_bytes; what a range has of such a slice is an item, which one warp decodes. Where ranges start and
/// end says how many items they have, so no header is read to share the work.
namespace {

using gsst::stage::ByteRange;

/// Ranges whose work is counted together.
constexpr std::uint32_t group_ranges = 256;

/// Uncompressed bytes: about what a strip of the usual size holds.
constexpr std::uint32_t slice_bytes = 8192;

__device__ inline std::uint64_t group_count(const RangesRequest& request) {
  return gsst::format::part_size(request.range_count, group_ranges);
}

/// Items of the ranges of the same group before `range`.
__device__ inline std::uint64_t& items_before_in_group(const RangesRequest& request, std::uint64_t range) {
  return request.scratch[range];
}

/// Items of the groups before `group`; of all for group_count().
__device__ inline std::uint64_t& items_before_group(const RangesRequest& request, std::uint64_t group) {
  return request.scratch[request.range_count + group];
}

/// The number of the slice that holds a byte of the frame's output.
__device__ inline std::uint64_t slice_of(const RangesRequest& request, std::uint64_t byte) {
  const std::uint64_t slices_per_block = gsst::format::part_size(request.block_bytes, slice_bytes);
  return byte / request.block_bytes * slices_per_block + byte % request.block_bytes / slice_bytes;
}

// Written so that no sum can exceed 64 bits.
__device__ inline bool lies_in(std::uint64_t offset, std::uint64_t bytes, std::uint64_t size) {
  return offset <= size && bytes <= size - offset;
}

/// What the status of `range` is before anything is decoded.
__device__ inline std::uint32_t check_range(const RangesRequest& request, const ByteRange& range) {
  if (!lies_in(range.offset, range.bytes, request.frame.uncompressed_bytes)) {
    return gsst::stage::outside_frame_status;
  }
  if (!lies_in(range.output_offset, range.bytes, request.output_bytes)) {
    return gsst::stage::outside_output_status;
  }
  return static_cast<std::uint32_t>(gsst::stage::BlockStatus::decoded);
}

/// Number of items of a range that check_range() accepts.
__device__ inline std::uint64_t count_items(const RangesRequest& request, const ByteRange& range) {
  if (range.bytes == 0) return 0;
  return slice_of(request, range.offset + range.bytes - 1) - slice_of(request, range.offset) + 1;
}

/// As LaneSums, over the threads of a thread block, whole warps. `warp_sums`: 32 words of shared memory,
/// which nobody else uses.
struct GroupSums {
  std::uint64_t before;
  std::uint64_t total;

  __device__ GroupSums(std::uint64_t value, std::uint64_t* warp_sums) {
    const LaneSums<std::uint64_t> lanes(value);
    if (this_lane() == 0) warp_sums[threadIdx.x / warp_lanes] = lanes.total;
    __syncthreads();
    const LaneSums<std::uint64_t> warps(this_lane() < blockDim.x / warp_lanes ? warp_sums[this_lane()] : 0);
    before = lanes.before + __shfl_sync(whole_warp, warps.before, static_cast<int>(threadIdx.x / warp_lanes));
    total = warps.total;
    __syncthreads();
  }
};

/// Checks each range, sets its status and counts its items. A thread block for each group of group_ranges;
/// shared memory: 32 words.
__global__ void __launch_bounds__(group_ranges) count_items_of_groups(RangesRequest request) {
  GSST_SHARED_MEMORY(shared);
  const std::uint64_t number = std::uint64_t{blockIdx.x} * group_ranges + threadIdx.x;
  std::uint64_t items = 0;
  if (number < request.range_count) {
    const ByteRange range = request.ranges[number];
    const std::uint32_t status = check_range(request, range);
    request.status[number] = status;
    if (status == 0) items = count_items(request, range);
  }
  const GroupSums sums(items, reinterpret_cast<std::uint64_t*>(shared));
  if (number < request.range_count) items_before_in_group(request, number) = sums.before;
  if (threadIdx.x == 0) items_before_group(request, blockIdx.x) = sums.total;
}

/// Adds up the groups' items. One thread block of group_ranges threads, each of which adds up as many groups;
/// shared memory: 32 words.
__global__ void __launch_bounds__(group_ranges) add_up_groups(RangesRequest request) {
  GSST_SHARED_MEMORY(shared);
  const std::uint64_t groups = group_count(request);
  const std::uint64_t share = gsst::format::part_size(groups, group_ranges);
  const std::uint64_t first = threadIdx.x * share;
  const std::uint64_t end = first + share < groups ? first + share : groups;
  std::uint64_t sum = 0;
#pragma unroll 8
  for (std::uint64_t group = first; group < end; ++group) sum += items_before_group(request, group);
  const GroupSums sums(sum, reinterpret_cast<std::uint64_t*>(shared));
  std::uint64_t before = sums.before;
#pragma unroll 8
  for (std::uint64_t group = first; group < end; ++group) {
    const std::uint64_t items = items_before_group(request, group);
    items_before_group(request, group) = before;
    before += items;
  }
  if (threadIdx.x == 0) items_before_group(request, groups) = sums.total;
}

/// Bytes of one block that one warp decodes for a range.
struct RangeItem {
  std::uint64_t range;
  std::uint32_t block;
  /// What the range has of the block: bytes of the block's output, and where the first of them goes.
  std::uint32_t wanted_begin;
  std::uint32_t wanted_end;
  std::uint8_t* output;
  /// What of it lies in the item's slice: splits or strips whose first wanted byte is there are the item's.
  std::uint32_t begin;
  std::uint32_t end;
};

/// The last of `count` numbers, which do not fall, that is at most `limit`. The first one is. Each thread
/// searches for itself.
template <typename Read>
__device__ std::uint64_t search(std::uint64_t limit, std::uint64_t count, const Read& read) {
  std::uint64_t first = 0;
  while (count > 1) {
    const std::uint64_t half = count / 2;
    if (read(first + half) <= limit) {
      first += half;
      count -= half;
    } else {
      count = half;
    }
  }
  return first;
}

/// Item `number` of all.
__device__ inline RangeItem find_item(const RangesRequest& request, std::uint64_t number) {
  const std::uint64_t group =
      search(number, group_count(request), [&](std::uint64_t i) { return items_before_group(request, i); });
  const std::uint64_t in_group = number - items_before_group(request, group);
  const std::uint64_t first_range = group * group_ranges;
  const std::uint64_t left = request.range_count - first_range;
  const std::uint64_t number_of_range =
      first_range + search(in_group, left < group_ranges ? left : group_ranges,
                           [&](std::uint64_t i) { return items_before_in_group(request, first_range + i); });

  const ByteRange range = request.ranges[number_of_range];
  const std::uint64_t slices_per_block = gsst::format::part_size(request.block_bytes, slice_bytes);
  const std::uint64_t slice =
      slice_of(request, range.offset) + in_group - items_before_in_group(request, number_of_range);
  const std::uint64_t block = slice / slices_per_block;
  const std::uint64_t block_begin = block * request.block_bytes;
  const std::uint64_t slice_begin = slice % slices_per_block * slice_bytes;
  const std::uint64_t range_end = range.offset + range.bytes - block_begin;
  const std::uint64_t wanted_begin = range.offset > block_begin ? range.offset - block_begin : 0;
  const std::uint64_t wanted_end = range_end < request.block_bytes ? range_end : request.block_bytes;
  const std::uint64_t slice_end = slice_begin + slice_bytes;
  return {.range = number_of_range,
          .block = static_cast<std::uint32_t>(block),
          .wanted_begin = static_cast<std::uint32_t>(wanted_begin),
          .wanted_end = static_cast<std::uint32_t>(wanted_end),
          .output = request.output + range.output_offset + (block_begin + wanted_begin - range.offset),
          .begin = static_cast<std::uint32_t>(wanted_begin > slice_begin ? wanted_begin : slice_begin),
          .end = static_cast<std::uint32_t>(wanted_end < slice_end ? wanted_end : slice_end)};
}

}  // namespace
