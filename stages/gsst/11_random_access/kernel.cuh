#pragma once

#include <cstddef>
#include <cstdint>

#include "common/stage/shared_memory.hpp"
#include "stages/gsst/11_random_access/items.cuh"
#include "stages/gsst/11_random_access/splits.cuh"
#include "stages/gsst/11_random_access/strips.cuh"

namespace {

using gsst::format::BlockLayout;

constexpr std::uint32_t decode_warps = 8;
constexpr std::uint32_t decode_threads = decode_warps * warp_lanes;
/// Thread blocks of a multiprocessor that the registers must suffice for: warps wait for memory most of the
/// time. Of all ranges of 32 bytes of tiles of 12 bits an H200 decodes 45 GB/s with 3, and 37 with 2, which
/// are fewer warps, or 4, where registers go to local memory; a few hundred ranges are faster with 4.
constexpr std::uint32_t decode_blocks = 3;

/// Items of fewer bytes are decoded by warps that do not wait for others, with the symbols where the frame
/// stores them. Those of more can be worth a table in shared memory.
constexpr std::uint32_t large_item_bytes = 4096;

__device__ inline bool is_large(const RangeItem& item) {
  return item.end - item.begin >= large_item_bytes;
}

/// What the warps of a thread block share beside the symbols of one table.
struct SharedState {
  /// Those that each warp decodes; when all warps decode large ones together, the first warp's are of all.
  /// They would take many registers.
  RangeItem items[decode_warps][warp_lanes];
  /// The table of each large item's block; nullptr if it is raw.
  const std::uint8_t* tables[warp_lanes];
  /// The table whose symbols are wanted in shared memory, and the block that has it.
  const std::uint8_t* wanted_table;
  std::uint32_t block_of_wanted_table;
  /// Not 0 if the thread block has large items.
  std::uint32_t has_large_items;
};

/// Consecutive items.
struct ItemRange {
  std::uint64_t first;
  std::uint64_t end;

  /// Of the first 32, or of what there is.
  __device__ std::uint32_t batch() const {
    return static_cast<std::uint32_t>(end - first < warp_lanes ? end - first : warp_lanes);
  }

  /// Part `index` of `count` parts of about the same size.
  __device__ ItemRange part(std::uint32_t index, std::uint32_t count) const {
    const std::uint64_t share = gsst::format::part_size(end - first, count);
    const std::uint64_t begin = first + index * share;
    return {.first = begin < end ? begin : end, .end = begin + share < end ? begin + share : end};
  }
};

/// Chooses the table of which `state.items`, the first `count` of them, want the most bytes. Its symbols go
/// to shared memory if these are at least as many bytes as the symbols take there: for fewer, loading the
/// table is more work than looking the symbols up where the frame stores them. The first warp calls it.
template <typename Parts>
__device__ void choose_table(SharedState& state, std::uint32_t count) {
  const std::uint32_t lane = this_lane();
  const bool has_table = lane < count && state.tables[lane] != nullptr;
  std::uint32_t asked = 0;
  for (std::uint32_t i = 0; has_table && i < count; ++i) {
    if (state.tables[i] == state.tables[lane]) asked += state.items[0][i].end - state.items[0][i].begin;
  }
  std::uint32_t most = asked << 5 | lane;
  for (int distance = 1; distance < static_cast<int>(warp_lanes); distance *= 2) {
    const std::uint32_t other = __shfl_xor_sync(whole_warp, most, distance);
    if (other > most) most = other;
  }
  if (lane != most % warp_lanes || asked == 0) return;
  if (asked < Parts::codes_of(state.tables[lane]) * sizeof(std::uint64_t)) return;
  state.wanted_table = state.tables[lane];
  state.block_of_wanted_table = state.items[0][lane].block;
}

/// What a raw block has of an item.
__device__ void copy_raw_bytes(const BlockOnDevice& block, const RangeItem& item) {
  for (std::uint32_t byte = item.begin + this_lane(); byte < item.end; byte += warp_lanes) {
    item.output[byte - item.wanted_begin] = block.payload[byte];
  }
}

__device__ void report(const RangesRequest& request, const RangeItem& item, BlockStatus result) {
  if (this_lane() == 0 && result != BlockStatus::decoded) {
    atomicMax(&request.status[item.range], static_cast<unsigned>(result));
  }
}

/// Decodes those of the calling warp's `items` that are small, in order: one that follows another in the same
/// split or strip goes on where that one ended. Returns whether some are large. `batch`: memory for 32 items
/// that the warp shares.
template <typename Parts>
__device__ bool decode_small_items(const RangesRequest& request, ItemRange items, RangeItem* batch,
                                   std::uint32_t* words) {
  bool has_large = false;
  for (; items.first < items.end; items.first += warp_lanes) {
    bool is_small = false;
    if (this_lane() < items.batch()) {
      batch[this_lane()] = find_item(request, items.first + this_lane());
      is_small = !is_large(batch[this_lane()]);
    }
    std::uint32_t left = __ballot_sync(whole_warp, is_small ? 1 : 0);
    const bool is_left_out = this_lane() < items.batch() && !is_small;
    has_large |= __any_sync(whole_warp, is_left_out ? 1 : 0) != 0;
    __syncwarp();
    while (left != 0) {
      const std::uint32_t number = batch[first_lane(left)].block;
      const BlockOnDevice block = request.frame.block(number, nullptr);
      if (block.layout == BlockLayout::raw) {
        copy_raw_bytes(block, batch[first_lane(left)]);
        left &= left - 1;
        continue;
      }
      Parts parts(request.frame, block, number, words);
      PartReader<Parts> reader(parts);
      for (; left != 0 && batch[first_lane(left)].block == number; left &= left - 1) {
        const RangeItem& item = batch[first_lane(left)];
        report(request, item, reader.decode(item, nullptr));
      }
    }
    // The next items must not overwrite these while a lane still reads them.
    __syncwarp();
  }
  return has_large;
}

/// Decodes those of the thread block's `items` that are large, up to 32 at a time. All threads call it.
template <typename Parts>
__device__ void decode_large_items(const RangesRequest& request, ItemRange items, SharedState& state,
                                   std::uint64_t* symbols, std::uint32_t* words) {
  const std::uint8_t* loaded_table = nullptr;
  for (; items.first < items.end; items.first += warp_lanes) {
    const std::uint32_t count = items.batch();
    if (threadIdx.x < count) {
      const RangeItem item = find_item(request, items.first + threadIdx.x);
      const BlockOnDevice block = request.frame.block(item.block, nullptr);
      const bool has_table = is_large(item) && block.layout != BlockLayout::raw;
      state.items[0][threadIdx.x] = item;
      state.tables[threadIdx.x] = has_table ? Parts::table_of(request.frame, block, item.block) : nullptr;
    }
    if (threadIdx.x < warp_lanes) {
      __syncwarp();
      choose_table<Parts>(state, count);
    }
    __syncthreads();
    if (state.wanted_table != loaded_table) {
      loaded_table = state.wanted_table;
      const std::uint32_t number = state.block_of_wanted_table;
      const Parts parts(request.frame, request.frame.block(number, nullptr), number, words);
      for (std::uint32_t code = threadIdx.x; code < Parts::codes_of(loaded_table); code += blockDim.x) {
        symbols[code] = parts.symbol(code);
      }
      __syncthreads();
    }
    for (std::uint32_t i = threadIdx.x / warp_lanes; i < count; i += decode_warps) {
      const RangeItem& item = state.items[0][i];
      if (!is_large(item)) continue;
      const BlockOnDevice block = request.frame.block(item.block, nullptr);
      if (block.layout == BlockLayout::raw) {
        copy_raw_bytes(block, item);
        continue;
      }
      Parts parts(request.frame, block, item.block, words);
      PartReader<Parts> reader(parts);
      report(request, item, reader.decode(item, state.tables[i] == loaded_table ? symbols : nullptr));
    }
    // The next items and symbols must not overwrite these while a warp still decodes.
    __syncthreads();
  }
}

/// Shared memory of a thread block without the symbols.
template <typename Parts>
constexpr std::size_t state_bytes = sizeof(SharedState) + decode_warps* Parts::words_of_warp *
                                                              sizeof(std::uint32_t);

/// Decodes all items. Each thread block has as many of them, and so has each of its warps. Shared memory:
/// state_bytes and 8 bytes for each symbol of the largest table. Any grid.
template <typename Parts>
__global__ void __launch_bounds__(decode_threads, decode_blocks) decode_items(RangesRequest request) {
  GSST_SHARED_MEMORY(shared);
  SharedState& state = *reinterpret_cast<SharedState*>(shared);
  const std::uint32_t warp = threadIdx.x / warp_lanes;
  auto* const words =
      reinterpret_cast<std::uint32_t*>(shared + sizeof(SharedState)) + warp * Parts::words_of_warp;
  auto* const symbols = reinterpret_cast<std::uint64_t*>(shared + state_bytes<Parts>);
  const ItemRange all = {.first = 0, .end = items_before_group(request, group_count(request))};
  const ItemRange own = all.part(blockIdx.x, gridDim.x);
  if (threadIdx.x == 0) {
    state.wanted_table = nullptr;
    state.has_large_items = 0;
  }
  __syncthreads();
  const bool has_large =
      decode_small_items<Parts>(request, own.part(warp, decode_warps), state.items[warp], words);
  if (has_large && this_lane() == 0) atomicMax(&state.has_large_items, 1u);
  __syncthreads();
  if (state.has_large_items != 0) decode_large_items<Parts>(request, own, state, symbols, words);
}

}  // namespace
