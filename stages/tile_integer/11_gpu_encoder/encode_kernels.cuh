#pragma once

#include <cstdint>
#include <type_traits>

#include "stages/tile_integer/11_gpu_encoder/encode_copy.cuh"
#include "stages/tile_integer/11_gpu_encoder/encode_packing.cuh"
#include "stages/tile_integer/11_gpu_encoder/encode_places.cuh"
#include "stages/tile_integer/11_gpu_encoder/encode_runs.cuh"

// The kernels that read the input: one that reads it once, and two that read it one after the other. Shared
// memory is for TileShared and for memory_words_of_warp() words a warp: for four and two tiles in the kernel
// that reads once, whose thread blocks take several, and for one in the others, which have a thread block a
// tile.
//
// A warp encodes its chains alone, into shared memory of its own: no barrier is between them.
namespace gsst::tile_integer::encoder {
namespace {

// The first number from `words` on of which a vector begins.
__device__ inline std::uint32_t whole_vectors(std::uint32_t words) {
  return (words + vector_words - 1) / vector_words * vector_words;
}

// All lanes of a warp, of whose words there are `before`: makes room for `words` more, which are 0. Words of
// the last vector with earlier ones are 0 already. No more is cleared than is used, which of values of 8 bits
// is a quarter of the memory.
__device__ inline void clear_words(std::uint32_t* staging, std::uint32_t before, std::uint32_t words) {
  const std::uint32_t end = whole_vectors(before + words);
#pragma unroll 1
  for (std::uint32_t word = whole_vectors(before) + lane_number() * vector_words; word < end;
       word += lanes_of_warp * vector_words) {
    *reinterpret_cast<Vector*>(staging + word) = {{0, 0, 0, 0}};
  }
  __syncwarp();
}

// Whether the thread finds tiles for its thread block: one of the last warp, since the first ones look back.
__device__ inline bool finds_tiles() {
  return thread_number() == blockDim.x - lanes_of_warp;
}

// All threads of the block: the next tile.
__device__ inline void take_tile(const EncodeJob& job, TileShared& shared) {
  // As device::ticket_of_block() does.
  if (finds_tiles()) find_tile(job, atomicAdd(job.ticket, 1U), shared);
  __syncthreads();
}

// Tiles that a thread block of encode_tiles() knows: one that is encoded, the one before it, whose place is
// looked up, the next one, and the one that slow warps may still copy when the next one is found.
constexpr unsigned tiles_of_block = 4;

// The words of the calling warp's units of the thread block's tile number `taken`: every second one has the
// same memory.
template <Packing Packed>
__device__ std::uint32_t* words_of_tile(const EncodeJob& job, std::uint8_t* memory, std::uint32_t taken) {
  return words_of_warp<Packed>(job, memory, tiles_of_block, taken % 2);
}

// So that 48 warps of 32-bit numbers fit on a multiprocessor, or 24 of 64-bit ones: as many as there is
// shared memory for. Runs take more of it: 32, or 16.
template <typename Number, Packing Packed>
constexpr unsigned most_registers = (sizeof(Number) == 4 ? 40 : 80) + (Packed == Packing::runs ? 24 : 0);

// What a kernel does with chains.
enum class Work {
  // Their sizes, which later tiles get to know.
  measure,
  // Their words, which go to shared memory.
  pack,
  both
};

// What a warp makes of 512 values: a chain, or a run block.
template <typename Number, Packing Packed>
using Coded = std::conditional_t<Packed == Packing::runs, CodedRuns<Number>, CodedChain<Number>>;

// All lanes of a warp: codes `count` values, which are in coded.differences. `scratch` is as load_chain() has
// it.
template <typename Number, Packing Packed>
__device__ void code_values(const EncodeJob& job, std::uint32_t count, std::uint8_t* scratch,
                            Coded<Number, Packed>& coded) {
  if constexpr (Packed == Packing::runs) {
    code_runs(job, count, scratch, coded);
  } else {
    code_chain<Number, Packed>(job, count, coded);
  }
}

// All lanes of a warp: the units of coded values, to `words`, which are 0. `starts` becomes what precedes
// each of them in the warp's words, where there are `before` of them so far.
// Makes `largest` the words of the largest of them.
template <typename Number, Packing Packed>
__device__ void pack_values(const Coded<Number, Packed>& coded, std::uint32_t* words, std::uint32_t before,
                            std::uint32_t* starts, unsigned* largest) {
  const unsigned lane = lane_number();
  if constexpr (Packed == Packing::runs) {
    if (lane == 0) {
      starts[0] = before;
      keep_largest_of_lanes(largest, coded.words);
    }
    pack_runs(coded, words);
  } else {
    if (lane < packed_blocks_of_chain) {
      starts[lane] = before + coded.start;
      keep_largest_of_lanes(largest, coded.block_words);
    }
    pack_chain<Number, Packed>(coded, words);
  }
  // Of the words after the chain, which the next one may store, some had no bits added.
  __syncwarp();
}

// All lanes of a warp: its chains, whose units go to `staging`. The words of each warp and, where they are
// packed, its starts are there after the next barrier.
template <typename Number, Packing Packed, Work Does>
__device__ void encode_chains(const EncodeJob& job, TileShared& shared, std::uint32_t* staging) {
  const std::uint32_t first = first_value_of_warp(job);
  // Values up to the end of the warp's chains or of the block, by an instruction that gives all lanes the
  // same: so the compiler knows that they branch together.
  std::uint32_t left = smallest_of_warp(values_from(shared, first, job.chains_per_warp * chain_values));
  std::uint32_t words = 0;
  if (Does != Work::pack && left == 0) publish_words(job, shared, 0);
  for (std::uint32_t chain = 0; left != 0; ++chain) {
    const std::uint32_t count = left < chain_values ? left : chain_values;
    left -= count;
    Coded<Number, Packed> coded;
    // From the first vector after the words that are there: a packed block has more words than its values,
    // and for run blocks there is room.
    auto* const scratch = reinterpret_cast<std::uint8_t*>(staging + whole_vectors(words));
    const std::uint8_t* const from = shared.input + ((first + chain * chain_values) << job.value_shift);
    load_chain<Number>(from, shared.is_aligned, job.value_bytes, count, scratch, coded.differences);
    code_values<Number, Packed>(job, count, scratch, coded);
    const std::uint32_t before = words;
    words += coded.words;
    // Before the packing: later tiles wait for it.
    if (Does != Work::pack && left == 0) publish_words(job, shared, words);
    if constexpr (Does != Work::measure) {
      clear_words(staging, before, coded.words);
      pack_values<Number, Packed>(coded, staging + before, before,
                                  starts_of(staging) + chain * units_of_chain<Packed>, &shared.largest);
    }
  }
  if (Does == Work::pack && lane_number() == 0) {
    shared.warp_words[warp_number()] = words;
  }
}

// In one pass. A thread block takes tiles as long as there are any. Where one goes is looked up when the next
// one is in shared memory, next to it: by then the tiles before it have said how many words they have. There
// is one barrier a tile.
template <typename Number, Packing Packed>
__global__ void __maxnreg__((most_registers<Number, Packed>)) encode_tiles(EncodeJob job) {
  GSST_SHARED_MEMORY(memory);
  auto* const tiles = reinterpret_cast<TileShared*>(memory);
  take_tile(job, tiles[0]);
  for (std::uint32_t taken = 0;; ++taken) {
    TileShared& tile = tiles[taken % tiles_of_block];
    TileShared& before = tiles[(taken - 1) % tiles_of_block];
    const bool is_first = taken == 0;
    const bool exists = tile.tile < job.tile_count;
    if (exists) {
      encode_chains<Number, Packed, Work::both>(job, tile, words_of_tile<Packed>(job, memory, taken));
      // While others look back. Nobody reads of the tile that was there, three tiles ago: all have copied it.
      if (finds_tiles()) {
        const bool has_more = taken + 1 < job.most_tiles_of_thread_block;
        find_tile(job, has_more ? atomicAdd(job.ticket, 1U) : job.tile_count,
                  tiles[(taken + 1) % tiles_of_block]);
      }
    }
    if (!is_first) look_back<true>(job, before);
    __syncthreads();
    if (!is_first) {
      if (thread_number() == 0) publish_places(job, before);
      const std::uint64_t payload_offset =
          format::frame_header_bytes + before.bytes_before_block + format::record_header_bytes;
      if (before.is_raw) {
        copy_raw_tile(job, before, payload_offset);
      } else {
        if (thread_number() == 0) keep_largest(job, before);
        copy_tile<Packed>(job, before, words_of_tile<Packed>(job, memory, taken - 1), payload_offset);
      }
      // The next tile's words go where these were.
      __syncwarp();
    }
    // Read again: a register less.
    if (tile.tile >= job.tile_count) return;
  }
}

// The first pass of two: the places of tiles, which their look-back states keep, and of blocks.
template <typename Number, Packing Packed>
__global__ void __maxnreg__((most_registers<Number, Packed>)) measure_tiles(EncodeJob job) {
  GSST_SHARED_MEMORY(memory);
  TileShared& shared = *reinterpret_cast<TileShared*>(memory);
  std::uint32_t* const own = words_of_warp<Packed>(job, memory, 1);
  take_tile(job, shared);
  encode_chains<Number, Packed, Work::measure>(job, shared, own);
  __syncthreads();
  look_back<false>(job, shared);
  __syncthreads();
  if (thread_number() == 0) publish_places(job, shared);
}

// The second pass of two.
template <typename Number, Packing Packed>
__global__ void __maxnreg__((most_registers<Number, Packed>)) write_tiles(EncodeJob job) {
  GSST_SHARED_MEMORY(memory);
  TileShared& shared = *reinterpret_cast<TileShared*>(memory);
  const BlockPlace place = job.places[blockIdx.x / job.tiles_per_block];
  if (place.layout == format::BlockLayout::raw) return;
  std::uint32_t* const own = words_of_warp<Packed>(job, memory, 1);
  if (thread_number() == 0) {
    find_tile(job, blockIdx.x, shared);
    shared.words_before = 0;
    if (!shared.is_first_of_block) {
      shared.words_before =
          static_cast<std::uint32_t>(device::published_sum(job.tile_states[blockIdx.x - 1]));
    }
  }
  __syncthreads();
  encode_chains<Number, Packed, Work::pack>(job, shared, own);
  __syncthreads();
  if (thread_number() == 0) keep_largest(job, shared);
  copy_tile<Packed>(job, shared, own, place.payload_offset);
}

}  // namespace
}  // namespace gsst::tile_integer::encoder
