#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/codag/orc/batch_on_device.cuh"
#include "stages/codag/orc/list_sums.cuh"
#include "stages/codag/shared/coded_chunk.cuh"
#include "stages/codag/shared/substream_chunk.cuh"
#include "stages/codag/shared/substream_pieces.cuh"

// Streams without their compression: a warp has a chunk. How many bytes chunks hold is known afterwards only.
namespace gsst::codag::orc {
namespace {

// What a warp has in shared memory, as stage 08's default.
constexpr std::uint32_t orc_segment_bits = 104;
using InflateMemory = WarpMemory<orc_segment_bits>;

// All lanes: decodes a chunk of at most chunk.values bytes. The bytes that it has, or more than chunk.values
// if it is no such chunk.
__device__ inline std::uint32_t inflate_orc_chunk(const CodedChunk& chunk, InflateMemory& memory) {
  OwnPieces pieces(memory.staged, chunk.output);
  const DecodedSubstreams decoded = decode_substreams(chunk, memory.substreams, pieces);
  return decoded.is_right ? decoded.bytes : chunk.values + 1;
}

// Warps for all chunks.
__global__ void inflate_orc_chunks(BatchOnDevice batch) {
  GSST_SHARED_MEMORY(memory);
  const std::uint32_t number = warp_number();
  if (number >= batch.chunk_count) return;
  const BatchChunk& chunk = batch.chunks[number];
  const std::uint8_t* const input = batch.stored + chunk.input;
  std::uint8_t* const output = batch.rooms + chunk.output;
  std::uint32_t bytes = chunk.input_bytes;
  if (chunk.is_stored != 0) {
    copy_bytes(input, bytes, output);
  } else {
    bytes = inflate_orc_chunk({.stream = input,
                               .stream_bytes = chunk.input_bytes,
                               .stream_offset = 0,
                               .output = output,
                               .values = chunk.room,
                               .value_bytes = 1,
                               .is_signed = false,
                               .rest_bytes = 0},
                              reinterpret_cast<InflateMemory*>(memory)[threadIdx.x / lanes_of_warp]);
  }
  if (lane_number() != 0) return;
  const bool is_whole = bytes <= chunk.room;
  batch.chunk_bytes[number] = is_whole ? bytes : 0;
  batch.chunk_status[number] = is_whole ? 0 : 1;
}

// Warps for all streams: where chunks begin.
__global__ void find_orc_chunks(BatchOnDevice batch) {
  const std::uint32_t number = warp_number();
  if (number >= batch.stream_count) return;
  sum_up_list(batch.streams[number].chunks, batch.chunk_bytes, batch.chunk_begins,
              batch.stream_bytes[number]);
}

// Warps for all chunks: streams become contiguous. All chunks of most files but the last of a stream are
// full; the specification does not ask for that.
__global__ void join_orc_chunks(BatchOnDevice batch) {
  const std::uint32_t number = warp_number();
  if (number >= batch.chunk_count) return;
  const BatchChunk& chunk = batch.chunks[number];
  copy_bytes(batch.rooms + chunk.output, batch.chunk_bytes[number],
             batch.bytes + batch.streams[chunk.stream].begin + batch.chunk_begins[number]);
}

}  // namespace
}  // namespace gsst::codag::orc
