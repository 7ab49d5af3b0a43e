#include "library/range_decode.hpp"

#include <algorithm>

#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "library/range_items.cuh"
#include "library/range_splits.cuh"
#include "library/range_strips.cuh"

namespace {

using gsst::format::BlockFormat;
using gsst::format::BlockLayout;

constexpr std::uint32_t decode_warps = 8;
constexpr std::uint32_t decode_threads = decode_warps * warp_lanes;

/// What the warps of a thread block share beside the symbols of one table.
struct SharedState {
  RangeItem items[warp_lanes];
  /// The table of each item's block; nullptr if it is raw.
  const std::uint8_t* tables[warp_lanes];
  /// The table whose symbols are wanted in shared memory, and the block that has it.
  const std::uint8_t* wanted_table;
  std::uint32_t block_of_wanted_table;
  std::uint32_t warp_words[decode_warps * Strips::words_of_warp];
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
    if (state.tables[i] == state.tables[lane]) asked += state.items[i].end - state.items[i].begin;
  }
  std::uint32_t most = asked << 5 | lane;
  for (int distance = 1; distance < static_cast<int>(warp_lanes); distance *= 2) {
    const std::uint32_t other = __shfl_xor_sync(whole_warp, most, distance);
    if (other > most) most = other;
  }
  if (lane != most % warp_lanes || asked == 0) return;
  if (asked < Parts::codes_of(state.tables[lane]) * sizeof(std::uint64_t)) return;
  state.wanted_table = state.tables[lane];
  state.block_of_wanted_table = state.items[lane].block;
}

/// What a raw block has of an item.
__device__ void copy_raw_bytes(const BlockOnDevice& block, const RangeItem& item) {
  for (std::uint32_t byte = item.begin + this_lane(); byte < item.end; byte += warp_lanes) {
    item.output[byte - item.wanted_begin] = block.payload[byte];
  }
}

/// Decodes the parts of the item's block that are the item's. `symbols` as in Splits and Strips.
template <typename Parts>
__device__ BlockStatus decode_parts(const Parts& parts, const RangeItem& item, const std::uint64_t* symbols) {
  std::uint32_t part = parts.find(item.begin);
  // One that starts in the slice before is that item's.
  if (item.begin != item.wanted_begin && parts.begin(part) < item.begin) ++part;
  BlockStatus worst = BlockStatus::decoded;
  for (; part < parts.count() && parts.begin(part) < item.end; ++part) {
    PartOutput output(item, parts.begin(part), parts.begin(part + 1));
    const BlockStatus result = parts.decode(part, symbols, output);
    if (result > worst) worst = result;
  }
  return worst;
}

/// Decodes all items. Each thread block has as many, and its warps take up to 32 of them at a time. Shared
/// memory: SharedState, and 8 bytes for each symbol of the largest table. Any grid.
template <typename Parts>
__global__ void __launch_bounds__(decode_threads) decode_items(RangeDecode request) {
  GSST_SHARED_MEMORY(shared);
  SharedState& state = *reinterpret_cast<SharedState*>(shared);
  auto* const symbols = reinterpret_cast<std::uint64_t*>(shared + sizeof(SharedState));
  std::uint32_t* const words = state.warp_words + threadIdx.x / warp_lanes * Parts::words_of_warp;
  const std::uint64_t all_items = items_before_group(request, group_count(request));
  const std::uint64_t share = gsst::format::part_size(all_items, gridDim.x);
  const std::uint64_t first_item = blockIdx.x * share;
  const std::uint64_t end_item = first_item + share < all_items ? first_item + share : all_items;
  if (threadIdx.x == 0) state.wanted_table = nullptr;
  const std::uint8_t* loaded_table = nullptr;

  for (std::uint64_t first = first_item; first < end_item; first += warp_lanes) {
    const auto count =
        static_cast<std::uint32_t>(end_item - first < warp_lanes ? end_item - first : warp_lanes);
    if (threadIdx.x < count) {
      const RangeItem item = find_item(request, first + threadIdx.x);
      const BlockOnDevice block = request.frame.block(item.block, nullptr);
      state.items[threadIdx.x] = item;
      state.tables[threadIdx.x] =
          block.layout == BlockLayout::raw ? nullptr : Parts::table_of(request.frame, block, item.block);
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
      const RangeItem item = state.items[i];
      const BlockOnDevice block = request.frame.block(item.block, nullptr);
      if (block.layout == BlockLayout::raw) {
        copy_raw_bytes(block, item);
        continue;
      }
      const Parts parts(request.frame, block, item.block, words);
      const BlockStatus result =
          decode_parts(parts, item, state.tables[i] == loaded_table ? symbols : nullptr);
      if (this_lane() == 0 && result != BlockStatus::decoded) {
        atomicMax(&request.status[item.range], static_cast<unsigned>(result));
      }
    }
    // The next items and symbols must not overwrite these while a warp still decodes.
    __syncthreads();
  }
}

// Codes of the largest table of `frame`.
std::uint32_t most_codes(const gsst::stage::FrameOnDevice& frame) {
  if (frame.format == BlockFormat::splits) return 256;
  std::uint32_t codes = 0;
  for (const std::uint32_t code_bits : {8u, 10u, 12u}) {
    for (const std::uint32_t codes_per_lane : {16u, 24u, 32u}) {
      const TileShape shape{.code_bits = code_bits, .codes_per_lane = codes_per_lane};
      const bool is_there = (frame.tile_shapes & gsst::stage::tile_shape_bit(shape)) != 0;
      if (is_there) codes = std::max(codes, shape.code_count());
    }
  }
  return codes;
}

template <typename Parts>
void launch_decode_items(const RangeDecode& request, void* stream) {
  // More thread blocks than run at the same time: those with much to do end beside others.
  constexpr unsigned turns = 2;
  const std::size_t shared_bytes =
      sizeof(SharedState) + std::size_t{most_codes(request.frame)} * sizeof(std::uint64_t);
  gsst::stage::launch({.thread_blocks = turns * gsst::stage::resident_thread_blocks(
                                                    decode_threads, shared_bytes, decode_items<Parts>),
                       .threads_per_block = decode_threads,
                       .shared_bytes = shared_bytes,
                       .stream = stream},
                      decode_items<Parts>, request);
}

}  // namespace

namespace gsst::library {

template <>
void enqueue_range_decode<stage::this_executor>(const RangeDecode& request, void* stream) {
  constexpr std::size_t warp_sums_bytes = group_ranges / warp_lanes * sizeof(std::uint64_t);
  const auto groups = static_cast<unsigned>(format::part_size(request.range_count, group_ranges));
  stage::LaunchShape shape{.thread_blocks = groups,
                           .threads_per_block = group_ranges,
                           .shared_bytes = warp_sums_bytes,
                           .stream = stream};
  stage::launch(shape, count_items_of_groups, request);
  shape.thread_blocks = 1;
  stage::launch(shape, add_up_groups, request);
  if (request.frame.format == format::BlockFormat::splits) {
    launch_decode_items<Splits>(request, stream);
  } else {
    launch_decode_items<Strips>(request, stream);
  }
}

}  // namespace gsst::library
