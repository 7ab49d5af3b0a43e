#pragma once

#include <bit>
#include <cstdint>

#include "stages/gsst/10_wide_encoder/tile_job.cuh"

// The strips of a frame of tiles: where each one starts, what it decodes to, and its tiles.
namespace {

// One thread block a block: where its segments' codes start, and where all of them go, if the block may be
// worth it.
__global__ void locate_segments(TileJob job) {
  GSST_SHARED_MEMORY(shared);
  const std::uint32_t block = blockIdx.x;
  const std::uint32_t bytes = locate_splits_of_block(job.parts, reinterpret_cast<std::uint32_t*>(shared));
  if (threadIdx.x != 0) return;
  const std::uint32_t codes = bytes / job.code_bytes;
  const std::uint64_t payload = gsst::format::padded_tiles_payload_bytes(bytes_before_symbols(job, codes));
  const bool may_pay = payload < raw_tile_bytes(job, block);
  job.blocks[block] = {.encoded_codes = codes, .code_count = 0, .strip_count = 0, .dictionary_id = 0};
  job.code_places[block] = {.payload_offset = block * job.block_code_bytes,
                            .payload_bytes = 0,
                            .codes_offset = 0,
                            .code_bytes = bytes,
                            .layout = may_pay ? BlockLayout::wide : BlockLayout::raw};
}

// A warp a block: which codes each strip has. A strip that would end with the first half of a byte ends with
// a code without output in its place, and all that follows moves by one. As long as nothing moves, a warp
// looks at 32 ends of strips at a time.
__global__ void cut_strips(TileJob job) {
  constexpr std::uint32_t first_halves = 16;
  const std::uint32_t block = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (block >= job.parts.cut.block_count) return;
  if (job.code_places[block].layout == BlockLayout::raw) return;
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t codes = job.blocks[block].encoded_codes;
  const std::uint8_t* const block_codes = job.codes_of(block);
  const std::uint32_t per_strip = job.codes_per_strip();
  const bool has_halves = job.has_halves();
  std::uint32_t* const begins = job.begins_of(block);
  std::uint32_t strip = 0;
  std::uint32_t begin = 0;
  while (codes - begin > per_strip) {
    // Of the lane's strip, as if nothing moved.
    const std::uint64_t end = begin + std::uint64_t{lane + 1} * per_strip;
    const bool is_inside = end < codes;
    const bool moves = has_halves && is_inside && block_codes[end - 1] < first_halves;
    const std::uint32_t moving = __ballot_sync(all_lanes, moves);
    const std::uint32_t inside = __ballot_sync(all_lanes, is_inside);
    // Up to the first strip that ends earlier.
    const std::uint32_t unmoved = first_lane_of(moving);
    const auto ends = static_cast<std::uint32_t>(std::popcount(inside));
    if (lane < ends && lane <= unmoved) {
      begins[strip + lane + 1] = static_cast<std::uint32_t>(end) - (lane == unmoved ? 1 : 0);
    }
    const std::uint32_t done = unmoved < ends ? unmoved + 1 : ends;
    strip += done;
    begin += done * per_strip - (unmoved < ends ? 1 : 0);
  }
  if (lane != 0) return;
  begins[0] = 0;
  begins[strip + 1] = codes;
  job.blocks[block].strip_count = strip + 1;
  job.blocks[block].code_count = strip * per_strip + (codes - begin);
}

// A warp a strip: the bytes that it decodes to.
__global__ void measure_strips(TileJob job) {
  const Strip strip = strip_of_warp(job);
  if (!strip.exists) return;
  const std::uint64_t class_lengths = job.table->class_lengths;
  const std::uint32_t class_shift = job.shape.code_bits - 4;
  const std::uint8_t* const block_codes = job.codes_of(strip.block);
  std::uint32_t bytes = 0;
  for (std::uint32_t first = threadIdx.x % 32 * 8; first < strip.codes; first += 32 * 8) {
    std::uint32_t codes[8];
    load_eight_codes(job, block_codes, strip.first_code + first, codes);
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) {
      const std::uint32_t length = class_lengths >> (codes[i] >> class_shift & 0xf) * 4 & 0xf;
      if (first + i < strip.codes) bytes += length;
    }
  }
  for (int mask = 16; mask > 0; mask /= 2) bytes += __shfl_xor_sync(all_lanes, bytes, mask);
  if (threadIdx.x % 32 == 0) job.outputs_of(strip.block)[strip.number] = bytes;
}

// A warp a strip: its tiles. What is left of the last one is 0.
__global__ void write_tiles(TileJob job) {
  const Strip strip = strip_of_warp(job);
  if (!strip.exists) return;
  const BlockPlace& place = job.parts.places[strip.block];
  if (place.layout == BlockLayout::raw) return;
  const TileShape shape = job.shape;
  const std::uint32_t tile_codes = shape.codes();
  const std::uint32_t tiles = (strip.codes + tile_codes - 1) / tile_codes;
  std::uint8_t* const first_tile = job.parts.frame + place.payload_offset + gsst::format::tiles_header_bytes +
                                   std::uint64_t{strip.number} * job.tiles_per_strip * shape.bytes();
  const std::uint8_t* const block_codes = job.codes_of(strip.block);
  for (std::uint32_t first = threadIdx.x % 32 * 8; first < tiles * tile_codes; first += 32 * 8) {
    std::uint32_t codes[8] = {};
    if (first < strip.codes) load_eight_codes(job, block_codes, strip.first_code + first, codes);
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) {
      if (first + i >= strip.codes) codes[i] = 0;
    }
    const std::uint32_t tile = first / tile_codes;
    gsst::format::write_eight_codes(first_tile + std::size_t{tile} * shape.bytes(), shape,
                                    first - tile * tile_codes, codes);
  }
}

}  // namespace
