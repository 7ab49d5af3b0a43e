#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/frame/index_entry.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"
#include "stages/tile_integer/shared/block_sum.cuh"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/load_block.cuh"
#include "stages/tile_integer/shared/packed_value.cuh"
#include "stages/tile_integer/shared/run_block.cuh"
#include "stages/tile_integer/shared/staged_tile.cuh"
#include "stages/tile_integer/shared/staged_words.cuh"

/// Loads of a tile of a column into registers, for any kernel (paper, section 7). LoadBitPack, LoadDBitPack
/// and LoadRBitPack, which have their names from the paper, load a compressed column where LoadPlain,
/// Crystal's BlockLoad, loads one that is stored as it is. To load another kind of column, only the name
/// changes:
///
///     GSST_SHARED_MEMORY(memory);  // LoadBitPack::shared_bytes<std::uint32_t>
///     std::uint32_t values[values_of_tile_thread];
///     const ColumnTile<std::uint32_t> tile(column, blockIdx.x);
///     LoadBitPack::load(tile, memory, values);
///
/// The column is a frame in memory that the kernel reads, whose shape stage::frame_shape() has accepted on
/// the host: loads check nothing. Its values are of the type i32 or u32 for a Number of std::uint32_t, of i64
/// or u64 for std::uint64_t; smaller types are stored as one of these. Thread blocks have threads_of_tile
/// threads, and all of them call a load. Blocks that the encoder has stored raw are loaded by every load.
namespace gsst::tile_integer {
namespace {

/// Values of a tile: four packed blocks (the paper's D), a chain of format `dfor`, a run block of `rfor`.
constexpr std::uint32_t tile_values = 512;
constexpr std::uint32_t threads_of_tile = 128;
/// Thread t of the thread block has values t, t + 128, t + 256 and t + 384 of the tile.
constexpr std::uint32_t values_of_tile_thread = tile_values / threads_of_tile;
constexpr std::uint32_t packed_blocks_of_tile = tile_values / format::tile_integer::packed_block_values;
static_assert(format::tile_integer::packed_block_values == threads_of_tile);
static_assert(format::tile_integer::chain_values == tile_values);
static_assert(format::tile_integer::run_block_values == tile_values &&
              threads_of_run_block == threads_of_tile);

/// Bit i: values[i] of the thread. For loads of some values only.
constexpr std::uint32_t all_values = (1U << values_of_tile_thread) - 1;

/// Where a tile of a column is. Tiles are numbered through the frame's blocks; a block's last tile may have
/// fewer values. Bytes at a block's end that are no whole value belong to no tile.
template <typename Number>
class ColumnTile {
public:
  /// Tile `number` of `column`; one without values where there is no such tile.
  __device__ ColumnTile(const stage::FrameOnDevice& column, std::uint32_t number) {
    if (has_aligned_index(column)) {
      find<true>(column, number);
    } else {
      find<false>(column, number);
    }
  }

  /// Whether the frame has a block for it.
  __device__ bool exists() const { return payload_ != nullptr; }
  /// Of the tile: 0 to tile_values.
  __device__ std::uint32_t values() const { return values_; }
  /// The number of the frame's block, and of the tile in it.
  __device__ std::uint32_t block() const { return block_; }
  __device__ std::uint32_t number() const { return tile_; }
  /// Of the whole block, when it is decoded.
  __device__ std::uint32_t block_bytes() const { return block_bytes_; }
  __device__ std::uint32_t block_values() const {
    return block_bytes_ / static_cast<std::uint32_t>(sizeof(Number));
  }
  /// Of the block.
  __device__ const std::uint8_t* payload() const { return payload_; }
  /// Whether the block's values are stored as they are.
  __device__ bool is_raw() const { return is_raw_; }
  /// Value `i` of the calling thread, as a place in the tile.
  __device__ static std::uint32_t place(std::uint32_t i) { return i * threads_of_tile + threadIdx.x; }

private:
  template <bool IsAligned>
  __device__ void find(const stage::FrameOnDevice& column, std::uint32_t number) {
    if (column.block_count == 0) return;
    // No block is larger than the first.
    find_block<IsAligned>(column, 0);
    const std::uint32_t tiles_of_block =
        block_values() == 0 ? 1 : (block_values() + tile_values - 1) / tile_values;
    const std::uint32_t block = number / tiles_of_block;
    if (block >= column.block_count) {
      payload_ = nullptr;
      return;
    }
    if (block != 0) find_block<IsAligned>(column, block);
    tile_ = number % tiles_of_block;
    const std::uint32_t first = tile_ * tile_values;
    if (first >= block_values()) return;
    values_ = block_values() - first < tile_values ? block_values() - first : tile_values;
  }

  // What the index says of a block. Where it is aligned, wide loads take the place of those of single bytes.
  template <bool IsAligned>
  __device__ void find_block(const stage::FrameOnDevice& column, std::uint32_t block) {
    const std::uint8_t* const entry =
        column.bytes + column.index_offset + std::uint64_t{block} * format::index_entry_bytes;
    const format::IndexEntryFields fields(entry);
    block_ = block;
    is_raw_ = fields.layout() == format::BlockLayout::raw;
    if constexpr (IsAligned) {
      payload_ = column.bytes + *reinterpret_cast<const std::uint64_t*>(entry);
      block_bytes_ = reinterpret_cast<const std::uint32_t*>(entry)[7];
    } else {
      payload_ = column.bytes + fields.payload_offset();
      block_bytes_ = fields.uncompressed_bytes();
    }
  }

  std::uint32_t block_ = 0;
  std::uint32_t tile_ = 0;
  std::uint32_t values_ = 0;
  std::uint32_t block_bytes_ = 0;
  const std::uint8_t* payload_ = nullptr;
  bool is_raw_ = true;
};

/// A column stored as it is: a frame whose blocks are all raw. Needs no shared memory.
struct LoadPlain {
  /// Whether a kernel may leave out the tiles of which it wants nothing.
  static constexpr bool may_skip = true;

  template <typename Number>
  static constexpr std::size_t shared_bytes = 0;

  /// All values of the tile that `wanted` has, all_values or those that the query still asks for (Crystal's
  /// BlockPredLoad); 0 in place of others and of those that the tile does not have.
  template <typename Number>
  __device__ static void load(const ColumnTile<Number>& tile, std::uint8_t* /*memory*/,
                              Number (&values)[values_of_tile_thread], std::uint32_t wanted = all_values) {
    static_assert(sizeof(Number) == 4 || sizeof(Number) == 8);
    const std::uint8_t* const first =
        tile.payload() + std::uint64_t{tile.number()} * tile_values * sizeof(Number);
#pragma unroll
    for (std::uint32_t i = 0; i < values_of_tile_thread; ++i) {
      const std::uint32_t place = tile.place(i);
      values[i] = 0;
      if (place >= tile.values() || (wanted >> i & 1) == 0) continue;
      const std::uint8_t* const value = first + std::uint64_t{place} * sizeof(Number);
      values[i] = load_word(value);
      if constexpr (sizeof(Number) == 8) values[i] |= Number{load_word(value + 4)} << 32;
    }
  }
};

// The word at an aligned address, read even where nobody uses it.
__device__ inline std::uint32_t read_always(const std::uint32_t* address) {
#if defined(__CUDACC__)
  std::uint32_t word;
  asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(word) : "l"(address));
  return word;
#else
  return *address;
#endif
}

/// As LoadPlain, but all of each tile is read, whatever is wanted: what a query takes that skips nothing.
struct LoadWhole {
  /// As LoadPlain::may_skip.
  static constexpr bool may_skip = false;

  template <typename Number>
  static constexpr std::size_t shared_bytes = 0;

  /// As LoadPlain::load() for all values. Those at addresses that are no multiple of 4 are read by
  /// LoadPlain::load() itself.
  template <typename Number>
  __device__ static void load(const ColumnTile<Number>& tile, std::uint8_t* memory,
                              Number (&values)[values_of_tile_thread],
                              std::uint32_t /*wanted*/ = all_values) {
    if (reinterpret_cast<std::uintptr_t>(tile.payload()) % sizeof(std::uint32_t) != 0) {
      return LoadPlain::load(tile, memory, values);
    }
    constexpr std::uint32_t words_of_value = sizeof(Number) / sizeof(std::uint32_t);
    const auto* const first = reinterpret_cast<const std::uint32_t*>(tile.payload()) +
                              std::uint64_t{tile.number()} * tile_values * words_of_value;
#pragma unroll
    for (std::uint32_t i = 0; i < values_of_tile_thread; ++i) {
      const std::uint32_t place = tile.place(i);
      values[i] = 0;
      if (place >= tile.values()) continue;
      const std::uint32_t* const value = first + std::uint64_t{place} * words_of_value;
      values[i] = read_always(value);
      if constexpr (sizeof(Number) == 8) values[i] |= Number{read_always(value + 1)} << 32;
    }
  }
};

/// Shared memory of a tile whose packed blocks have `base_words` words more than those of format `for` have
/// at most: places of miniblocks, starts, words.
template <typename Number>
constexpr std::size_t packed_tile_bytes(std::size_t base_words) {
  constexpr std::size_t reference_words = sizeof(Number) / format::tile_integer::word_bytes;
  constexpr std::size_t words_of_block =
      reference_words + 1 + format::tile_integer::miniblocks_of_packed_block * 8 * sizeof(Number);
  return packed_blocks_of_tile * format::tile_integer::miniblocks_of_packed_block * sizeof(Miniblock) +
         (packed_blocks_of_tile + 1 + packed_blocks_of_tile * words_of_block + base_words) *
             format::tile_integer::word_bytes;
}

/// All threads: differences of the tile's packed blocks from references, with the references: format `for`'s
/// values, `dfor`'s differences. `base_words` precede the first reference. Returns the payload's words. Ends
/// without a barrier.
template <typename Number>
__device__ inline StagedWords unpack_tile(const ColumnTile<Number>& tile, std::uint8_t* memory,
                                          std::uint32_t base_words,
                                          Number (&numbers)[values_of_tile_thread]) {
  using format::tile_integer::miniblocks_of_packed_block;
  constexpr std::uint32_t reference_words = sizeof(Number) / format::tile_integer::word_bytes;
  auto* const miniblocks = reinterpret_cast<Miniblock*>(memory);
  auto* const staged =
      reinterpret_cast<std::uint32_t*>(miniblocks + miniblocks_of_packed_block * packed_blocks_of_tile);
  const std::uint32_t count = packed_blocks_of(tile.number(), packed_blocks_of_tile, tile.block_values());
  const StagedTile packed =
      stage_tile(ForPayload(tile.payload()), tile.number() * packed_blocks_of_tile, count, staged);
  const auto reference_start = [&](std::uint32_t block) {
    return packed.starts[block] + (block == 0 ? base_words : 0);
  };
  __syncthreads();
  if (threadIdx.x < miniblocks_of_packed_block * count) {
    const std::uint32_t start = reference_start(threadIdx.x / miniblocks_of_packed_block);
    miniblocks[threadIdx.x] =
        Miniblock(packed.words.word(start + reference_words), threadIdx.x % miniblocks_of_packed_block);
  }
  __syncthreads();
#pragma unroll
  for (std::uint32_t i = 0; i < packed_blocks_of_tile; ++i) {
    numbers[i] = 0;
    if (i >= count) continue;
    const std::uint32_t start = reference_start(i);
    const Miniblock& miniblock =
        miniblocks[i * miniblocks_of_packed_block + threadIdx.x / format::tile_integer::miniblock_values];
    numbers[i] = static_cast<Number>(
        reference_of(packed.words, start, reference_words) +
        extract_bits(packed.words, start + reference_words + 1 + miniblock.offset,
                     threadIdx.x % format::tile_integer::miniblock_values * miniblock.width,
                     miniblock.width));
  }
  return packed.words;
}

/// 0 in place of the values that the tile does not have.
template <typename Number>
__device__ inline void clear_missing(const ColumnTile<Number>& tile,
                                     Number (&values)[values_of_tile_thread]) {
#pragma unroll
  for (std::uint32_t i = 0; i < values_of_tile_thread; ++i) {
    if (tile.place(i) >= tile.values()) values[i] = 0;
  }
}

/// A column of format `for` (GPU-FOR).
struct LoadBitPack {
  /// As LoadPlain::may_skip.
  static constexpr bool may_skip = true;

  /// At `memory`, whose address divides by 8. Loads that follow each other may use the same bytes.
  template <typename Number>
  static constexpr std::size_t shared_bytes = packed_tile_bytes<Number>(0);

  /// As LoadPlain::load(), but all values are loaded, whatever is wanted.
  template <typename Number>
  __device__ static void load(const ColumnTile<Number>& tile, std::uint8_t* memory,
                              Number (&values)[values_of_tile_thread], std::uint32_t wanted = all_values) {
    if (tile.is_raw() || tile.values() == 0) return LoadPlain::load(tile, memory, values, wanted);
    // Whoever still reads what was in this memory.
    __syncthreads();
    unpack_tile(tile, memory, 0, values);
    clear_missing(tile, values);
  }
};

/// A column of format `dfor` (GPU-DFOR).
struct LoadDBitPack {
  /// As LoadPlain::may_skip.
  static constexpr bool may_skip = true;

  /// As LoadBitPack::shared_bytes.
  template <typename Number>
  static constexpr std::size_t shared_bytes =
      (tile_values + threads_of_tile / 32) * sizeof(Number) + packed_tile_bytes<Number>(sizeof(Number) / 4);

  /// As LoadBitPack::load().
  template <typename Number>
  __device__ static void load(const ColumnTile<Number>& tile, std::uint8_t* memory,
                              Number (&values)[values_of_tile_thread], std::uint32_t wanted = all_values) {
    if (tile.is_raw() || tile.values() == 0) return LoadPlain::load(tile, memory, values, wanted);
    constexpr std::uint32_t base_words = sizeof(Number) / format::tile_integer::word_bytes;
    auto* const sums = reinterpret_cast<Number*>(memory);
    Number* const numbers = sums + threads_of_tile / 32;
    __syncthreads();
    const StagedWords words =
        unpack_tile(tile, reinterpret_cast<std::uint8_t*>(numbers + tile_values), base_words, values);
    // Threads have every 128th difference and sum neighbours.
#pragma unroll
    for (std::uint32_t i = 0; i < values_of_tile_thread; ++i) numbers[tile.place(i)] = values[i];
    __syncthreads();
    const std::uint32_t start = ForPayload(tile.payload()).start(tile.number() * packed_blocks_of_tile);
    sum_in_place<Number, threads_of_tile, values_of_tile_thread>(
        numbers, static_cast<Number>(reference_of(words, start, base_words)), sums);
    __syncthreads();
#pragma unroll
    for (std::uint32_t i = 0; i < values_of_tile_thread; ++i) values[i] = numbers[tile.place(i)];
    clear_missing(tile, values);
  }
};

/// A column of format `rfor` (GPU-RFOR).
struct LoadRBitPack {
  /// As LoadPlain::may_skip.
  static constexpr bool may_skip = true;

  /// As LoadBitPack::shared_bytes.
  template <typename Number>
  static constexpr std::size_t shared_bytes =
      tile_values * sizeof(Number) +
      sizeof(std::uint32_t) *
          (2 * tile_values + warps_of_run_block + 2 * (max_miniblocks_of_stream + 1) +
           format::tile_integer::max_run_block_words(format::tile_integer::shape_of(
               sizeof(Number) == 4 ? format::tile_integer::Type::u32 : format::tile_integer::Type::u64)));

  /// As LoadBitPack::load().
  template <typename Number>
  __device__ static void load(const ColumnTile<Number>& tile, std::uint8_t* memory,
                              Number (&values)[values_of_tile_thread], std::uint32_t wanted = all_values) {
    if (tile.is_raw() || tile.values() == 0) return LoadPlain::load(tile, memory, values, wanted);
    constexpr std::uint32_t reference_words = sizeof(Number) / format::tile_integer::word_bytes;
    const ForPayload payload(tile.payload());
    const std::uint32_t start = payload.start(tile.number());
    const RunMemory<Number> parts(memory);
    __syncthreads();
    find_runs(stage_words(payload, start, payload.start(tile.number() + 1), parts.words), start, parts,
              reference_words);
    __syncthreads();
#pragma unroll
    for (std::uint32_t i = 0; i < values_of_tile_thread; ++i) {
      values[i] = tile.place(i) < tile.values() ? parts.values[parts.runs[tile.place(i)]] : Number{0};
    }
  }
};

/// Shared memory of a kernel that loads columns one after the other with some of the loads.
template <typename Number, typename... Loads>
constexpr std::size_t shared_bytes_of_loads = std::max({Loads::template shared_bytes<Number>...});

/// On the host: thread blocks for all tiles of a column of values of `value_bytes` bytes. Some may have none.
inline unsigned tiles_of(const stage::FrameOnDevice& column, std::uint32_t value_bytes) {
  return static_cast<unsigned>(column.uncompressed_bytes / (tile_values * value_bytes) + column.block_count);
}

}  // namespace
}  // namespace gsst::tile_integer
