#pragma once

#include <cstdint>

#include "stages/zero_length/05_cuda_scan/encode_tile.cuh"

// The kernels that read the input: one that reads it once, and two that read it one after the other, between
// which every block gets its place.
namespace gsst::zero_length::encoder {
namespace {

// A thread's chunk and what it becomes.
struct CodedChunk {
  Chunk chunk;
  ElementBits elements;
};

// The bytes of a chunk that are the block's.
__device__ inline ByteBits bits_of_chunk(const Chunk& chunk) {
  ByteBits bits = bits_of_words(chunk.words);
  bits.zeros &= chunk.valid;
  return bits;
}

// All threads of the block: the chunks of a tile whose place among the others is not known. The zeros before
// it are those that earlier tiles tell of.
__device__ inline CodedChunk code_chunk(const EncodeJob& job, TileShared& shared) {
  CodedChunk coded;
  coded.chunk = load_chunk_of_tile(job, shared);
  const std::uint32_t behind_warp = zeros_behind_warp(job, shared);
  const ByteBits bits = bits_of_chunk(coded.chunk);
  share_zeros(shared, bits.zeros);
  exchange_zeros(job, shared);
  coded.elements = elements_of_chunk(shared, coded.chunk, bits, behind_warp);
  return coded;
}

struct BytesInTile {
  // Of the threads before this one.
  std::uint32_t before;
  std::uint32_t all;
};

// All threads of the block add up `bytes`. Only one call in a kernel.
__device__ inline BytesInTile sum_bytes(TileShared& shared, std::uint32_t bytes) {
  const unsigned lane = threadIdx.x % lanes_of_warp;
  const unsigned warp = threadIdx.x / lanes_of_warp;
  std::uint32_t up_to_lane = bytes;
  for (unsigned distance = 1; distance < lanes_of_warp; distance *= 2) {
    const std::uint32_t other = __shfl_up_sync(every_lane, up_to_lane, distance);
    if (lane >= distance) up_to_lane += other;
  }
  if (lane == lanes_of_warp - 1) shared.warp_bytes[warp] = up_to_lane;
  __syncthreads();
  BytesInTile sum = {.before = up_to_lane - bytes, .all = 0};
  for (unsigned other = 0; other < blockDim.x / lanes_of_warp; ++other) {
    const std::uint32_t of_warp = shared.warp_bytes[other];
    if (other < warp) sum.before += of_warp;
    sum.all += of_warp;
  }
  return sum;
}

// All threads of the block: the elements of its tile to `output`, whose last bytes no thread has touched yet.
__device__ inline void write_elements(const TileShared& shared, std::uint8_t* staging, std::uint8_t* output,
                                      const CodedChunk& coded, const BytesInTile& bytes) {
  auto* const words = reinterpret_cast<std::uint32_t*>(staging);
  const auto begin = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(output) % vector_bytes);
  const std::uint32_t position = begin + bytes.before;
  // No thread has the last byte of the last word.
  if (threadIdx.x == 0) words[(begin + bytes.all) / bytes_of_word] = 0;
  WordWriter writer(words, position);
  put_chunk(writer, shared.tables, coded.chunk, coded.elements);
  __syncthreads();
  writer.add_rest();
  add_runs(words, position, coded.elements);
  __syncthreads();
  copy_to_output(output, staging, begin, bytes.all);
}

// Bare form: the header of a block stands before its first tile's elements.
__device__ inline std::uint32_t header_bytes_of_tile(const TileShared& shared) {
  return shared.is_first_of_block != 0 ? static_cast<std::uint32_t>(format::zero_length::bare_header_bytes)
                                       : 0;
}

// Bare form in one pass: each tile finds its place by the bytes of all tiles before it, with the headers of
// their blocks. A block's header says how long the block is, which this kernel does not know yet.
__global__ void encode_in_one_pass(EncodeJob job) {
  GSST_SHARED_MEMORY(memory);
  TileShared& shared = *reinterpret_cast<TileShared*>(memory);
  find_tile(job, device::ticket_of_block(job.tickets, &shared.ticket), shared);
  const CodedChunk coded = code_chunk(job, shared);
  const BytesInTile bytes = sum_bytes(shared, coded.elements.bytes());
  const std::uint32_t header_bytes = header_bytes_of_tile(shared);
  if (threadIdx.x < lanes_of_warp) {
    std::uint64_t* const state = &job.tile_bytes_states[shared.tile];
    const std::uint64_t own = std::uint64_t{bytes.all} + header_bytes;
    if (threadIdx.x == 0) device::publish_sum_of_tile(state, own);
    const std::uint64_t before = device::sum_before_tile(job.tile_bytes_states, shared.tile);
    if (threadIdx.x == 0) {
      device::publish_sum_from_start(state, before + own);
      shared.sum_before = before;
    }
  }
  __syncthreads();
  write_elements(shared, memory + sizeof(TileShared), job.output + shared.sum_before + header_bytes, coded,
                 bytes);
}

// The first pass of two: the place of each tile in its block, and the bytes of each block's elements.
__global__ void measure_tiles(EncodeJob job) {
  GSST_SHARED_MEMORY(memory);
  TileShared& shared = *reinterpret_cast<TileShared*>(memory);
  find_tile(job, device::ticket_of_block(job.tickets, &shared.ticket), shared);
  const CodedChunk coded = code_chunk(job, shared);
  const BytesInTile bytes = sum_bytes(shared, coded.elements.bytes());
  if (threadIdx.x >= lanes_of_warp) return;
  std::uint64_t* const state = &job.tile_bytes_states[shared.tile];
  std::uint64_t before = 0;
  // Sums start anew with each block.
  if (shared.is_first_of_block == 0) {
    if (threadIdx.x == 0) device::publish_sum_of_tile(state, bytes.all);
    before = device::sum_before_tile(job.tile_bytes_states, shared.tile);
  }
  if (threadIdx.x != 0) return;
  device::publish_sum_from_start(state, before + bytes.all);
  job.tiles[shared.tile] = {.offset = static_cast<std::uint32_t>(before),
                            .zeros_before = shared.zeros_before};
  if (shared.bytes == shared.bytes_of_block) {
    job.block_elements[shared.block] = static_cast<std::uint32_t>(before + bytes.all);
  }
}

// The second pass of two: writes each tile to its place.
__global__ void write_tiles(EncodeJob job) {
  GSST_SHARED_MEMORY(memory);
  TileShared& shared = *reinterpret_cast<TileShared*>(memory);
  find_tile(job, blockIdx.x, shared);
  const BlockPlace& block = job.blocks[shared.block];
  const TilePlace& tile = job.tiles[shared.tile];
  const bool is_raw = block.layout == format::BlockLayout::raw;
  CodedChunk coded;
  coded.chunk = load_chunk_of_tile(job, shared);
  const std::uint32_t behind_warp = zeros_behind_warp(job, shared);
  const ByteBits bits = bits_of_chunk(coded.chunk);
  if (threadIdx.x == 0) shared.zeros_before = tile.zeros_before;
  share_zeros(shared, bits.zeros);
  coded.elements =
      is_raw ? plain_bits(coded.chunk.valid) : elements_of_chunk(shared, coded.chunk, bits, behind_warp);
  const BytesInTile bytes = sum_bytes(shared, coded.elements.bytes());
  const std::uint64_t offset = is_raw ? shared.begin - job.block_begin(shared.block) : tile.offset;
  write_elements(shared, memory + sizeof(TileShared), job.output + block.payload_offset + offset, coded,
                 bytes);
}

}  // namespace
}  // namespace gsst::zero_length::encoder
