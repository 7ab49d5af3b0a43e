#pragma once

#include <cstdint>

#include "common/format/codag/status.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/codag/shared/byte_rle.cuh"
#include "stages/codag/shared/chunk_status.cuh"
#include "stages/codag/shared/coded_chunk.cuh"
#include "stages/codag/shared/input_stream.cuh"
#include "stages/codag/shared/orc_rle_v1.cuh"
#include "stages/codag/shared/orc_rle_v2.cuh"
#include "stages/codag/shared/parameters.hpp"
#include "stages/codag/shared/plain_values.cuh"
#include "stages/codag/shared/ring_bytes.cuh"
#include "stages/codag/shared/symbol_record.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// A thread block decodes a chunk: a warp reads ahead, one thread decodes, all write (paper, section II-C):
// what the paper argues against.
namespace gsst::codag {
namespace {

// What the leader has decoded.
struct SymbolBatch {
  SymbolRecord symbols[most_symbols];
  // Of the first value of each symbol in the chunk.
  std::uint32_t places[most_symbols];
  std::uint32_t count;
  bool is_last;
  // Where the leader has come to in the stream.
  std::uint32_t position;
};

// What a thread block has in shared memory. While one batch is written, the leader fills the other.
struct BlockMemory {
  std::uint8_t ring[bytes_of_ring];
  SymbolBatch batches[2];
};

// The leader ends a batch early after so many bytes, so that it does not come to the end of the ring before
// the ring is filled again.
constexpr std::uint32_t bytes_of_batch = 512;

// The leader alone: decodes symbols until `batch` is full or there is nothing more.
template <typename Codec, typename Input>
__device__ inline void decode_batch(Codec& codec, Input& input, std::uint32_t symbols,
                                    std::uint32_t all_values, std::uint32_t& left,
                                    format::codag::Problem& problem, SymbolBatch& batch) {
  batch.count = 0;
  const std::uint32_t begin = input.position();
  while (batch.count < symbols && left > 0 && input.position() - begin < bytes_of_batch) {
    SymbolRecord symbol(left);
    problem = codec.step(input, symbol);
    if (symbol.is_empty()) break;
    batch.places[batch.count] = all_values - left;
    batch.symbols[batch.count] = symbol;
    ++batch.count;
    left -= symbol.count();
  }
  batch.is_last = left == 0 || problem != format::codag::Problem::none;
  batch.position = input.position();
}

// All threads: one symbol together, or each warp one of several.
__device__ inline void write_batch(const CodedChunk& chunk, const SymbolBatch& batch) {
  if (batch.count == 1) {
    batch.symbols[0].write_at(batch.places[0], PlainValues<BlockTeam>(chunk.output, chunk.value_bytes));
    return;
  }
  const PlainValues<WarpTeam> values(chunk.output, chunk.value_bytes);
  const std::uint32_t warps = blockDim.x / lanes_of_warp;
  for (std::uint32_t symbol = threadIdx.x / lanes_of_warp; symbol < batch.count; symbol += warps) {
    batch.symbols[symbol].write_at(batch.places[symbol], values);
  }
}

// All threads, for a chunk that is not raw. The status; that of the leader counts.
template <typename Codec>
__device__ inline std::uint32_t decode_chunk(const CodedChunk& chunk, std::uint32_t symbols, bool is_leader,
                                             BlockMemory& memory) {
  // While a batch is decoded, the ring is filled for the begin of the one before.
  static_assert(2 * (bytes_of_batch + Codec::most_symbol_bytes) + peeked_bytes + line_bytes <= bytes_of_ring);
  InputStream input(RingBytes(chunk.stream, chunk.stream_bytes, memory.ring));
  RingFiller filler(chunk.stream, chunk.stream_bytes, memory.ring);
  Codec codec(chunk);
  auto problem = format::codag::Problem::none;
  const bool is_prefetcher = threadIdx.x < lanes_of_warp;
  if (is_prefetcher) filler.fill(0);
  __syncthreads();
  std::uint32_t left = chunk.values;
  std::uint32_t position = 0;
  for (std::uint32_t round = 0;; ++round) {
    SymbolBatch& batch = memory.batches[round % 2];
    if (is_leader) decode_batch(codec, input, symbols, chunk.values, left, problem, batch);
    if (is_prefetcher) filler.fill(position);
    __syncthreads();
    write_batch(chunk, batch);
    if (batch.is_last) break;
    position = batch.position;
  }
  return chunk_status(chunk, problem, codec, input);
}

// A thread block for each chunk, of two warps or more, with a BlockMemory of shared memory.
template <typename Codec>
__global__ void __launch_bounds__(most_threads_of_leader)
    decode_chunks(stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status,
                  std::uint32_t symbols) {
  GSST_SHARED_MEMORY(memory);
  const bool is_leader = threadIdx.x == lanes_of_warp;
  const stage::BlockOnDevice block = frame.block(blockIdx.x, output);
  std::uint32_t result = 0;
  if (block.layout == format::BlockLayout::raw) {
    copy_bytes<BlockTeam>(block.payload, block.uncompressed_bytes, block.output);
  } else {
    const CodedChunk chunk = Codec::chunk_of(block);
    if (threadIdx.x < lanes_of_warp) copy_rest(chunk);
    result = decode_chunk<Codec>(chunk, symbols, is_leader, *reinterpret_cast<BlockMemory*>(memory));
  }
  if (is_leader) status[blockIdx.x] = result;
}

}  // namespace
}  // namespace gsst::codag
