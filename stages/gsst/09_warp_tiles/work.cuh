#pragma once

#include <cstdint>

#include "common/frame/index_entry.hpp"
#include "common/stage/frame_on_device.hpp"
#include "stages/gsst/09_warp_tiles/tile_codes.cuh"

/// How the thread blocks and their warps share the frame's blocks and strips.
namespace {

using gsst::format::BlockLayout;
using gsst::stage::BlockOnDevice;
using gsst::stage::BlockStatus;
using gsst::stage::FrameOnDevice;

constexpr std::uint32_t no_block = 0xffffffff;

/// Counters of one run's strips.
constexpr std::uint32_t strip_counters = 4;

/// Words of scratch memory, `set_words` of them in each of strip_counters + 1 sets. In a set the words of
/// consecutive blocks stand side by side; the sets lie in different lines, so that different parts of L2
/// count.
struct Counters {
  unsigned* words;
  std::uint32_t set_words;

  /// For a frame of `blocks` blocks: 256 bytes or a multiple.
  static constexpr std::size_t words_of_set(std::size_t blocks) {
    constexpr std::size_t line_words = 64;
    return (blocks + 1 + line_words - 1) / line_words * line_words;
  }
  static constexpr std::size_t words_for(std::size_t blocks) {
    return (strip_counters + 1) * words_of_set(blocks);
  }

  /// The next block that nobody has begun.
  __device__ unsigned* next_block() const { return words; }
  /// The next strip of a block, or of the run that begins with it: of one of its counters.
  __device__ unsigned* next_strip(std::uint32_t block, std::uint32_t counter = 0) const {
    return words + std::size_t{counter} * set_words + 1 + block;
  }
  /// Not 0 when a thread block has found that none of the run's strips is left for it.
  __device__ unsigned* is_taken(std::uint32_t block) const { return next_strip(block, strip_counters); }
};

__device__ bool has_shape(const BlockOnDevice& block, TileShape wanted) {
  if (block.layout == BlockLayout::raw) return false;
  const TileShape shape = TilesHeader(block.payload).shape();
  return shape.code_bits == wanted.code_bits && shape.codes_per_lane == wanted.codes_per_lane;
}

__device__ bool has_strips_left(const FrameOnDevice& frame, std::uint32_t index, TileShape shape,
                                const Counters& counters) {
  const BlockOnDevice block = frame.block(index, nullptr);
  return has_shape(block, shape) &&
         atomicAdd(counters.next_strip(index), 0u) < TilesHeader(block.payload).strip_count();
}

/// Thread 0 takes the next block of `shape` that nobody has begun and writes its index, or one past the
/// frame's last, to `claimed`, a word of shared memory. It waits for memory two or three times while the
/// other warps decode, and its thread block decodes another block first: who has nothing left to do helps
/// with this one.
__device__ void claim_block(const FrameOnDevice& frame, TileShape shape, const Counters& counters,
                            unsigned* claimed) {
  if (threadIdx.x != 0) return;
  unsigned block = atomicAdd(counters.next_block(), 1u);
  while (block < frame.block_count && !has_shape(frame.block(block, nullptr), shape)) {
    block = atomicAdd(counters.next_block(), 1u);
  }
  *claimed = block;
}

/// The block of the frame whose strips the thread block takes next: the one that claim_block() has written to
/// `claimed`, else one that has strips left, looked for from another place by each thread block; no_block if
/// there is none. Blocks of another shape than `shape` count as decoded. All threads call it together.
__device__ std::uint32_t choose_block(const FrameOnDevice& frame, TileShape shape, const Counters& counters,
                                      unsigned* claimed) {
  // Nobody uses the table of the last block any more, and the claim is written.
  __syncthreads();
  const std::uint32_t fresh = *claimed;
  if (fresh < frame.block_count) return fresh;

  __syncthreads();
  if (threadIdx.x == 0) *claimed = 0;
  __syncthreads();
  for (std::uint32_t distance = threadIdx.x; distance < frame.block_count; distance += blockDim.x) {
    const std::uint32_t block = (blockIdx.x + distance) % frame.block_count;
    if (has_strips_left(frame, block, shape, counters)) atomicMax(claimed, frame.block_count - distance);
  }
  __syncthreads();
  const std::uint32_t nearest = *claimed;
  return nearest == 0 ? no_block : (blockIdx.x + frame.block_count - nearest) % frame.block_count;
}

/// The header of the block that holds the table of block `index`, whose header is `header`. It may stand in
/// front of the frame's first block, if the frame is a part of a longer one: its index entry does as well.
__device__ TilesHeader table_header(const FrameOnDevice& frame, std::uint32_t index,
                                    const TilesHeader& header) {
  const std::int64_t holder = std::int64_t{index} - header.dictionary_id();
  const std::int64_t offset = holder * static_cast<std::int64_t>(gsst::format::index_entry_bytes);
  const gsst::format::IndexEntryFields entry(frame.bytes + frame.index_offset + offset);
  return TilesHeader(frame.bytes + entry.payload_offset());
}

/// Lane 0 takes a strip; the others get 0.
__device__ __forceinline__ unsigned ask_for_strip(unsigned* next_strip, std::uint32_t lane) {
  return take_number(next_strip, lane);
}

/// All lanes get what lane 0 has taken.
__device__ __forceinline__ std::uint32_t taken_strip(unsigned taken) {
  return __shfl_sync(all_lanes, taken, 0);
}

/// The `length` bytes at `address`, at most 8: first byte in the lowest 8 bits. Up to 11 bytes behind
/// `address` are loaded, all at once: a block and its frame go on there.
__device__ __forceinline__ std::uint64_t load_symbol(const std::uint8_t* address, std::uint32_t length) {
  const auto misalignment = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(address) % 4);
  std::uint32_t words[3];
#pragma unroll
  for (std::uint32_t i = 0; i < 3; ++i) load_constant_words<1>(address - misalignment + 4 * i, words + i);
  const std::uint64_t low = shift_words(words[0], words[1], 8 * misalignment);
  const std::uint64_t high = shift_words(words[1], words[2], 8 * misalignment);
  return length == 0 ? 0 : (high << 32 | low) << (64 - 8 * length) >> (64 - 8 * length);
}

/// Where the stored symbols of a block of tiles stand, in registers: to look it up in the header for each
/// code would be a wait for each class before it.
template <std::uint32_t CodeBits>
struct StoredSymbols {
  static constexpr std::uint32_t class_codes = (1u << CodeBits) / gsst::format::length_class_count;

  const std::uint8_t* symbols;
  std::uint32_t first_code;
  /// The length of each class, four bits each: it is 8 at most.
  std::uint64_t class_lengths = 0;

  __device__ explicit StoredSymbols(const TilesHeader& header)
      : symbols(header.stored_symbols()), first_code(header.first_stored_code()) {
#pragma unroll
    for (std::uint32_t i = 0; i < gsst::format::length_class_count; ++i) {
      class_lengths |= std::uint64_t{header.class_length(i)} << (4 * i);
    }
  }

  /// The symbol of `code`, not below first_code.
  __device__ __forceinline__ std::uint64_t load(std::uint32_t code) const {
    const std::uint32_t code_class = code / class_codes;
    const std::uint64_t stored_before =
        (class_lengths & ((std::uint64_t{1} << (4 * code_class)) - 1)) >> (4 * (first_code / class_codes));
    const auto length = static_cast<std::uint32_t>(class_lengths >> (4 * code_class) & 0xf);
    return load_symbol(symbols + class_codes * sum_of_nibbles(stored_before) + code % class_codes * length,
                       length);
  }

private:
  /// Of 16 nibbles, each at most 8.
  __device__ __forceinline__ static std::uint32_t sum_of_nibbles(std::uint64_t nibbles) {
    constexpr std::uint64_t low_nibbles = 0x0f0f0f0f0f0f0f0f;
    const std::uint64_t pairs = (nibbles & low_nibbles) + (nibbles >> 4 & low_nibbles);
    return static_cast<std::uint32_t>(pairs * 0x0101010101010101 >> 56);
  }
};

/// Calls place(code, symbol) for each code of the block. The thread block does it together.
template <std::uint32_t CodeBits, typename Place>
__device__ __forceinline__ void place_symbols(const TilesHeader& header, Place place) {
  // A thread asks for several symbols before it waits for the first.
  constexpr std::uint32_t together = CodeBits == 12 ? 5 : 1;
  constexpr std::uint32_t codes = 1u << CodeBits;
  const StoredSymbols<CodeBits> stored(header);
  for (std::uint32_t first = threadIdx.x; first < codes; first += together * blockDim.x) {
    std::uint64_t symbols[together];
#pragma unroll
    for (std::uint32_t i = 0; i < together; ++i) {
      const std::uint32_t code = first + i * blockDim.x;
      const std::uint32_t last_code = code < codes ? code : codes - 1;
      symbols[i] = stored.load(last_code < stored.first_code ? stored.first_code : last_code);
    }
#pragma unroll
    for (std::uint32_t i = 0; i < together; ++i) {
      const std::uint32_t code = first + i * blockDim.x;
      if (code < codes) place(code, code < stored.first_code ? header.symbol(code) : symbols[i]);
    }
  }
}

/// Writes `Copies` copies of each symbol of the block, side by side. The thread block does it together;
/// behind its next barrier the table is whole.
template <std::uint32_t CodeBits, std::uint32_t Copies>
__device__ void load_table(const TilesHeader& header, std::uint64_t* table) {
  place_symbols<CodeBits>(header,
                          [&](std::uint32_t code, std::uint64_t symbol) { table[code * Copies] = symbol; });
  if constexpr (Copies == 1) return;
  __syncthreads();
  constexpr std::uint32_t codes = 1u << CodeBits;
  for (std::uint32_t i = threadIdx.x; i < codes * Copies; i += blockDim.x) {
    if (i % Copies != 0) table[i] = table[i / Copies * Copies];
  }
}

/// As load_table(), but writes the first four bytes of each symbol, and behind those of all symbols the last
/// four.
template <std::uint32_t CodeBits>
__device__ void load_table_of_halves(const TilesHeader& header, std::uint32_t* table) {
  place_symbols<CodeBits>(header, [&](std::uint32_t code, std::uint64_t symbol) {
    table[code] = static_cast<std::uint32_t>(symbol);
    table[(1u << CodeBits) + code] = static_cast<std::uint32_t>(symbol >> 32);
  });
}

/// Copies the blocks that are stored as they are. Any grid.
__global__ void copy_raw_blocks(FrameOnDevice frame, std::uint8_t* output) {
  for (std::uint32_t index = blockIdx.x; index < frame.block_count; index += gridDim.x) {
    const BlockOnDevice block = frame.block(index, output);
    if (block.layout != BlockLayout::raw) continue;
    for (std::uint32_t i = threadIdx.x; i < block.uncompressed_bytes; i += blockDim.x) {
      block.output[i] = block.payload[i];
    }
  }
}

}  // namespace
