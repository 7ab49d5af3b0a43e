#pragma once

#include <cstdint>

#include "stages/gsst/10_wide_encoder/tile_job.cuh"

// The frame around the tiles: which blocks are worth coding, which of them hold the table, and all bytes of
// their payloads but the tiles.
namespace {

// One thread block a block: where the output of each strip starts, and whether the block is coded. A block
// whose codes decode to more than it has holds a byte that has no code.
__global__ void size_tile_blocks(TileJob job) {
  GSST_SHARED_MEMORY(shared);
  auto* const warp_sums = reinterpret_cast<std::uint32_t*>(shared);
  const std::uint32_t block = blockIdx.x;
  const TileBlock& of_tiles = job.blocks[block];
  std::uint32_t* const outputs = job.outputs_of(block);
  std::uint32_t bytes = 0;
  for (std::uint32_t first = 0; first < of_tiles.strip_count; first += blockDim.x) {
    const std::uint32_t own = first + threadIdx.x;
    const bool exists = own < of_tiles.strip_count;
    const BlockSum<std::uint32_t> sum = sum_of_block(exists ? outputs[own] : 0, warp_sums);
    if (exists) outputs[own] = bytes + sum.before;
    bytes += sum.total;
  }
  if (threadIdx.x != 0) return;
  const std::uint64_t raw_bytes = raw_tile_bytes(job, block);
  const std::uint64_t coded_bytes =
      gsst::format::padded_tiles_payload_bytes(bytes_before_symbols(job, of_tiles.code_count));
  const bool pays = bytes == job.parts.cut.block(block).size && coded_bytes < raw_bytes;
  job.parts.places[block] = {.payload_offset = 0,
                             .payload_bytes = static_cast<std::uint32_t>(pays ? coded_bytes : raw_bytes),
                             .codes_offset = gsst::format::tiles_header_bytes,
                             .code_bytes = 0,
                             .layout = pays ? BlockLayout::wide : BlockLayout::raw};
}

// The first coded block from `block` on, or the number of all blocks.
__device__ inline std::uint32_t next_coded_block(const TileJob& job, std::uint32_t block) {
  const std::uint32_t blocks = job.parts.cut.block_count;
  for (; block < blocks; block += 32) {
    const std::uint32_t own = block + threadIdx.x;
    const bool coded = own < blocks && job.parts.places[own].layout != BlockLayout::raw;
    const std::uint32_t found = __ballot_sync(all_lanes, coded);
    if (found != 0) return block + first_lane_of(found);
  }
  return blocks;
}

// One warp: a coded block holds the table where no block in reach does, and the others name it.
__global__ void share_table(TileJob job) {
  constexpr std::uint32_t reach = gsst::format::max_dictionary_id;
  const std::uint32_t blocks = job.parts.cut.block_count;
  std::uint32_t holder = next_coded_block(job, 0);
  while (holder < blocks) {
    for (std::uint32_t id = 1 + threadIdx.x; id <= reach && holder + id < blocks; id += 32) {
      job.blocks[holder + id].dictionary_id = id;
    }
    // The other lanes have looked at the holder's place.
    __syncwarp();
    if (threadIdx.x == 0) {
      BlockPlace& place = job.parts.places[holder];
      const std::uint64_t raw_bytes = raw_tile_bytes(job, holder);
      const std::uint64_t bytes = gsst::format::padded_tiles_payload_bytes(
          bytes_before_symbols(job, job.blocks[holder].code_count) + job.table->symbol_bytes);
      // Nothing comes that could share it.
      const bool is_in_vain = holder + 1 == blocks && bytes >= raw_bytes;
      place.payload_bytes = static_cast<std::uint32_t>(is_in_vain ? raw_bytes : bytes);
      if (is_in_vain) place.layout = BlockLayout::raw;
    }
    holder = next_coded_block(job, holder + reach + 1);
  }
}

// All threads of a block: header, strip offsets, symbols and padding.
__device__ inline void write_around_tiles(const TileJob& job, std::uint32_t block, const BlockPlace& place,
                                          std::uint8_t* payload) {
  const TileBlock& of_tiles = job.blocks[block];
  const std::uint32_t size = job.parts.cut.block(block).size;
  if (threadIdx.x == 0) {
    gsst::format::write_tiles_header(payload,
                                     {.block_bytes = place.payload_bytes,
                                      .uncompressed_bytes = size,
                                      .shape = job.shape,
                                      .tiles_per_strip = job.tiles_per_strip,
                                      .code_count = of_tiles.code_count,
                                      .escape_free = job.table->escape_free,
                                      .dictionary_id = of_tiles.dictionary_id},
                                     job.table->stored_class_lengths);
  }
  const std::uint64_t symbols = bytes_before_symbols(job, of_tiles.code_count);
  std::uint8_t* const offsets = payload + symbols - std::uint64_t{of_tiles.strip_count} * 4;
  const std::uint32_t* const outputs = job.outputs_of(block);
  for (std::uint32_t strip = threadIdx.x; strip < of_tiles.strip_count; strip += blockDim.x) {
    gsst::format::store_little_endian<4>(offsets + std::uint64_t{strip} * 4, outputs[strip]);
  }
  const std::uint32_t symbol_bytes = of_tiles.dictionary_id == 0 ? job.table->symbol_bytes : 0;
  for (std::uint64_t byte = threadIdx.x; byte < place.payload_bytes - symbols; byte += blockDim.x) {
    payload[symbols + byte] = byte < symbol_bytes ? job.table->symbols[byte] : 0;
  }
}

// One thread block a block: everything but the tiles, and the bytes of a raw block.
__global__ void write_tile_blocks(TileJob job) {
  const std::uint32_t block = blockIdx.x;
  std::uint8_t* const payload = write_record_or_raw_block(job.parts, block);
  if (payload != nullptr) write_around_tiles(job, block, job.parts.places[block], payload);
}

}  // namespace
