#pragma once

#include <cstdint>

#include "common/format/block_status.hpp"
#include "stages/search/shared/lane_codes.cuh"
#include "stages/search/shared/matches.cuh"
#include "stages/search/shared/rare_call.hpp"
#include "stages/search/shared/search_on_device.hpp"

// Where in a block's text the output of a lane's codes starts.
namespace gsst::search::kernels {
namespace {

// The lengths of 16 classes, 4 bits each, as bytes.
__device__ __forceinline__ void unpack_lengths(std::uint64_t class_lengths, std::uint32_t (&lengths)[4]) {
#pragma unroll
  for (std::uint32_t i = 0; i < 4; ++i) {
    const auto nibbles = static_cast<std::uint32_t>(class_lengths >> (16 * i));
    lengths[i] = (nibbles & 0xf) | (nibbles & 0xf0) << 4 | (nibbles & 0xf00) << 8 | (nibbles & 0xf000) << 12;
  }
}

// The lengths of the symbols of four codes, a byte each, by the nibbles of their `classes`.
__device__ __forceinline__ std::uint32_t lengths_of_classes(const std::uint32_t (&lengths)[4],
                                                            std::uint32_t classes) {
  // Of the classes below 8 and of the others: a nibble with its highest bit set chooses a sign, which is 0.
  return permute_bytes(lengths[0], lengths[1], classes) |
         permute_bytes(lengths[2], lengths[3], classes ^ 0x8888);
}

// Bytes that the first `count` codes of a lane put out.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane>
__device__ __forceinline__ std::uint32_t output_bytes(const SearchedBlock& block,
                                                      const LaneCodes<CodeBits, CodesPerLane>& codes,
                                                      std::uint32_t count) {
  std::uint32_t lengths[4];
  unpack_lengths(block.class_lengths, lengths);
  std::uint32_t sum = 0;
#pragma unroll
  for (std::uint32_t word = 0; word < CodesPerLane / 4; ++word) {
    const std::uint32_t bytes = lengths_of_classes(lengths, codes.classes(word));
    const std::uint32_t counted = count < 4 * word ? 0 : count - 4 * word;
    sum = add_bytes(counted >= 4 ? bytes : bytes & ((1u << (8 * counted)) - 1), sum);
  }
  return sum;
}

// Where in the block's text the output of the lane's codes of tile `tile` starts. Adds the lengths of all
// codes of the tile's strip: one that puts out more or fewer bytes than it has is reported. All lanes of a
// warp call it together. Tiles are at multiples of 16 if `Aligned`.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
__device__ GSST_RARE_CALL std::uint32_t lane_offset(const SearchOnDevice& search, std::uint32_t block_number,
                                                    std::uint32_t tile, std::uint32_t lane) {
  using Codes = LaneCodes<CodeBits, CodesPerLane>;
  const SearchedBlock& block = search.blocks[block_number];
  const format::TilesHeader header(search.frame + block.payload);
  const std::uint32_t strip = tile / block.tiles_per_strip;
  const std::uint32_t tiles_left = block.tile_count() - strip * block.tiles_per_strip;
  const std::uint32_t strip_tiles = tiles_left < block.tiles_per_strip ? tiles_left : block.tiles_per_strip;
  std::uint32_t bytes = 0;
  std::uint32_t offset = 0;
  for (std::uint32_t i = 0; i < strip_tiles; ++i) {
    const std::uint32_t current = strip * block.tiles_per_strip + i;
    Codes codes;
    codes.template load<Aligned>(search.frame + block.tile(current), lane);
    const std::uint32_t first_code = current * Codes::shape().codes() + lane * CodesPerLane;
    const std::uint32_t count = block.code_count < first_code ? 0 : block.code_count - first_code;
    const std::uint32_t own = output_bytes(block, codes, count < CodesPerLane ? count : CodesPerLane);
    std::uint32_t inclusive = own;
#pragma unroll
    for (std::uint32_t distance = 1; distance < 32; distance *= 2) {
      const std::uint32_t lower = __shfl_up_sync(all_lanes, inclusive, distance);
      if (lane >= distance) inclusive += lower;
    }
    if (current == tile) offset = bytes + inclusive - own;
    bytes += __shfl_sync(all_lanes, inclusive, 31);
  }
  const std::uint32_t begin = header.strip_output(strip);
  const std::uint32_t expected = header.strip_output(strip + 1) - begin;
  if (bytes != expected && lane == 0) {
    const format::BlockStatus status =
        bytes > expected ? format::BlockStatus::output_too_long : format::BlockStatus::output_too_short;
    atomicMax(&search.statuses[block_number], format::strip_status(status, strip));
  }
  return begin + offset;
}

}  // namespace
}  // namespace gsst::search::kernels
