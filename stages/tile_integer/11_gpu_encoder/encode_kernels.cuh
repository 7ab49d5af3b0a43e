#pragma once

#include <cstdint>
#include <type_traits>

#include "stages/tile_integer/11_gpu_encoder/encode_copy.cuh"
#include "stages/tile_integer/11_gpu_encoder/encode_packing.cuh"
#include "stages/tile_integer/11_gpu_encoder/encode_places.cuh"
#include "stages/tile_integer/11_gpu_encoder/encode_runs.cuh"

// The kernels that read the input: one that reads it once, and two that read it one after the other. Each has
// a thread block a tile, with shared memory for TileShared and for staging_words_of_warp() words a warp.
//
// A warp encodes its chains alone, into shared memory of its own: no barrier is between them.
namespace gsst::tile_integer::encoder {
namespace {

template <Packing Packed>
__device__ std::uint32_t* staging_of_warp(const EncodeJob& job, std::uint8_t* memory) {
  const std::uint32_t words_before =
      threadIdx.x / lanes_of_warp * staging_words_of_warp(job.chains_per_warp, job.value_bytes, Packed);
  return reinterpret_cast<std::uint32_t*>(memory + sizeof(TileShared)) + words_before;
}

// All lanes of a warp: vectors of 0.
template <Packing Packed>
__device__ void clear_staging(const EncodeJob& job, std::uint32_t* staging) {
  const std::uint32_t vectors = staging_words_of_warp(job.chains_per_warp, job.value_bytes, Packed) / 4;
  for (std::uint32_t vector = threadIdx.x % lanes_of_warp; vector < vectors; vector += lanes_of_warp) {
    reinterpret_cast<Vector*>(staging)[vector] = {{0, 0, 0, 0}};
  }
}

// All threads of the block: the next tile.
template <Packing Packed>
__device__ void take_tile(const EncodeJob& job, TileShared& shared, std::uint32_t* staging) {
  // As device::ticket_of_block() does, with other work on the way to the barrier.
  std::uint32_t tile = 0;
  if (threadIdx.x == 0) tile = atomicAdd(job.ticket, 1U);
  clear_staging<Packed>(job, staging);
  if (threadIdx.x == 0) find_tile(job, tile, shared);
  __syncthreads();
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
  } else if (count == chain_values) {
    code_chain<Number, Packed, true>(job, count, coded);
  } else {
    code_chain<Number, Packed, false>(job, count, coded);
  }
}

// All lanes of a warp: the units of `count` values, to `words`, which are 0. `starts` becomes what precedes
// each of them in the warp's words, where there are `before` of them so far.
template <typename Number, Packing Packed>
__device__ void pack_values(const Coded<Number, Packed>& coded, std::uint32_t count, std::uint32_t* words,
                            std::uint32_t before, std::uint32_t* starts) {
  const unsigned lane = threadIdx.x % lanes_of_warp;
  if constexpr (Packed == Packing::runs) {
    if (lane == 0) starts[0] = before;
    pack_runs(coded, words);
  } else {
    if (lane < packed_blocks_of_chain) starts[lane] = before + coded.start;
    pack_chain<Number, Packed>(coded, count, words);
  }
}

// All lanes of a warp: its chains. The words of each warp and, where they are packed, its starts are there
// behind the next barrier.
template <typename Number, Packing Packed, Work Does>
__device__ void encode_chains(const EncodeJob& job, TileShared& shared, std::uint32_t* staging) {
  const unsigned lane = threadIdx.x % lanes_of_warp;
  const unsigned warp = threadIdx.x / lanes_of_warp;
  std::uint32_t words = 0;
  for (std::uint32_t number = 0; number < job.chains_per_warp; ++number) {
    const std::uint32_t first = first_value_of_chain(job, shared, number);
    const std::uint32_t count = values_of_chain(shared, first);
    const bool is_last = number + 1 == job.chains_per_warp;
    if (count == 0) {
      if (Does != Work::pack && is_last) publish_words(job, shared, words);
      continue;
    }
    Coded<Number, Packed> coded;
    // From the first vector after the words that are there: a packed block has more words than its values,
    // and for run blocks there is room.
    const std::uint32_t words_to_scratch = (words + vector_words - 1) / vector_words * vector_words;
    auto* const scratch = reinterpret_cast<std::uint8_t*>(staging + words_to_scratch);
    const std::uint8_t* const from = job.input + shared.block.begin + std::uint64_t{first} * job.value_bytes;
    if (!is_last && values_of_chain(shared, first + chain_values) == chain_values) {
      prefetch_chain(from + std::uint64_t{chain_values} * job.value_bytes, job.value_bytes);
    }
    load_chain<Number>(from, job.value_bytes, count, scratch, coded.differences);
    code_values<Number, Packed>(job, count, scratch, coded);
    const std::uint32_t before = words;
    words += coded.words;
    // Before the packing: later tiles wait for it.
    if (Does != Work::pack && is_last) publish_words(job, shared, words);
    if constexpr (Does != Work::measure) {
      pack_values<Number, Packed>(coded, count, staging + before, before,
                                  shared.starts[warp] + number * units_of_chain<Packed>);
    }
  }
  if (Does == Work::pack && lane == 0) shared.warp_words[warp] = words;
}

// In one pass. Places are looked up last, when the tile is in shared memory: by then the tiles before it have
// said how many words they have.
template <typename Number, Packing Packed>
__global__ void __maxnreg__((most_registers<Number, Packed>)) encode_tiles(EncodeJob job) {
  GSST_SHARED_MEMORY(memory);
  TileShared& shared = *reinterpret_cast<TileShared*>(memory);
  std::uint32_t* const staging = staging_of_warp<Packed>(job, memory);
  take_tile<Packed>(job, shared, staging);
  encode_chains<Number, Packed, Work::both>(job, shared, staging);
  look_back(job, shared);
  copy_tile<Packed>(job, shared, staging,
                    format::frame_header_bytes + shared.bytes_before_block + format::record_header_bytes);
}

// The first pass of two: the places of tiles, which their look-back states keep, and of blocks.
template <typename Number, Packing Packed>
__global__ void __maxnreg__((most_registers<Number, Packed>)) measure_tiles(EncodeJob job) {
  GSST_SHARED_MEMORY(memory);
  TileShared& shared = *reinterpret_cast<TileShared*>(memory);
  std::uint32_t* const staging = staging_of_warp<Packed>(job, memory);
  take_tile<Packed>(job, shared, staging);
  encode_chains<Number, Packed, Work::measure>(job, shared, staging);
  look_back(job, shared);
}

// The second pass of two.
template <typename Number, Packing Packed>
__global__ void __maxnreg__((most_registers<Number, Packed>)) write_tiles(EncodeJob job) {
  GSST_SHARED_MEMORY(memory);
  TileShared& shared = *reinterpret_cast<TileShared*>(memory);
  const BlockPlace place = job.places[blockIdx.x / job.tiles_per_block];
  if (place.layout == format::BlockLayout::raw) return;
  std::uint32_t* const staging = staging_of_warp<Packed>(job, memory);
  clear_staging<Packed>(job, staging);
  if (threadIdx.x == 0) {
    find_tile(job, blockIdx.x, shared);
    shared.words_before = 0;
    if (!shared.is_first_of_block) {
      shared.words_before =
          static_cast<std::uint32_t>(device::published_sum(job.tile_states[blockIdx.x - 1]));
    }
  }
  __syncthreads();
  encode_chains<Number, Packed, Work::pack>(job, shared, staging);
  __syncthreads();
  copy_tile<Packed>(job, shared, staging, place.payload_offset);
}

}  // namespace
}  // namespace gsst::tile_integer::encoder
