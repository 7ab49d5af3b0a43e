#pragma once

#include <cstdint>

#include "stages/gsst/09_warp_tiles/work.cuh"

/// What a warp reads of a block, strip by strip, and where its lanes' output goes in a tile.
namespace {

/// Bytes of shared memory behind the table that hold what the thread block shares.
constexpr std::uint32_t control_bytes = 128;

/// Bytes of a line of global memory.
constexpr std::uint32_t line_bytes = 128;

/// The most that a warp's output of a tile takes in shared memory: behind the rest of a line, and with a word
/// that is not full.
template <std::uint32_t CodesPerLane>
constexpr std::uint32_t largest_tile_bytes = 32 * CodesPerLane * 8 + line_bytes;

/// Where a strip's output starts and ends in the block's output.
struct StripBounds {
  std::uint32_t begin;
  std::uint32_t end;
};

/// A block as a warp reads it.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane>
struct BlockReader {
  using Codes = LaneCodes<CodeBits, CodesPerLane>;

  const std::uint8_t* tiles;
  const std::uint8_t* strip_outputs;
  std::uint32_t code_count;
  std::uint32_t strip_tiles;
  std::uint32_t strip_count;
  std::uint32_t uncompressed_bytes;
  bool aligned;

  __device__ explicit BlockReader(const TilesHeader& header)
      : tiles(header.tile(0)),
        strip_outputs(header.strip_outputs()),
        code_count(header.code_count()),
        strip_tiles(header.tiles_per_strip()),
        strip_count(header.strip_count()),
        uncompressed_bytes(header.uncompressed_bytes()),
        aligned(reinterpret_cast<std::uintptr_t>(tiles) % gsst::format::tiles_alignment == 0) {}

  __device__ __forceinline__ std::uint32_t strip_output(std::uint32_t strip) const {
    if (strip >= strip_count) return uncompressed_bytes;
    return static_cast<std::uint32_t>(
        gsst::format::load_little_endian<4>(strip_outputs + std::uint64_t{strip} * 4));
  }
  __device__ __forceinline__ StripBounds bounds(std::uint32_t strip) const {
    return {.begin = strip_output(strip), .end = strip_output(strip + 1)};
  }
  /// Codes from the start of strip `strip` to the end of the block.
  __device__ __forceinline__ std::uint32_t codes_from(std::uint32_t strip) const {
    return code_count - strip * strip_tiles * Codes::shape().codes();
  }
  __device__ __forceinline__ void load(Codes& codes, std::uint32_t strip, std::uint32_t tile,
                                       std::uint32_t lane) const {
    const std::uint64_t number = std::uint64_t{strip} * strip_tiles + tile;
    codes.load(tiles + number * Codes::shape().bytes(), lane, aligned);
  }
};

/// The bits of all lower lanes and of the whole warp.
struct WarpSum {
  std::uint32_t before;
  std::uint32_t total;

  __device__ __forceinline__ WarpSum(std::uint32_t value, std::uint32_t lane) {
    std::uint32_t inclusive = value;
#pragma unroll
    for (std::uint32_t distance = 1; distance < 32; distance *= 2) {
      const std::uint32_t other = __shfl_up_sync(all_lanes, inclusive, distance);
      if (lane >= distance) inclusive += other;
    }
    before = inclusive - value;
    total = __shfl_sync(all_lanes, inclusive, 31);
  }
};

}  // namespace
