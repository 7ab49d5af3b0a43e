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

/// The words of memory that hold a strip's bounds, loaded and not yet looked at.
struct StripBoundsWords {
  std::uint32_t words[3];
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
  /// Bytes from the last multiple of 16 to the tiles: 0 unless the frame stands at an odd place in memory.
  std::uint32_t misalignment;

  __device__ explicit BlockReader(const TilesHeader& header)
      : tiles(header.tile(0)),
        strip_outputs(header.strip_outputs()),
        code_count(header.code_count()),
        strip_tiles(header.tiles_per_strip()),
        strip_count(header.strip_count()),
        uncompressed_bytes(header.uncompressed_bytes()),
        misalignment(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(tiles) %
                                                gsst::format::tiles_alignment)) {}

  /// Starts to load the bounds of strip `strip`, or of the last one if there are fewer strips. Up to 7 bytes
  /// behind the bounds are loaded too: a block and its frame go on there.
  __device__ __forceinline__ StripBoundsWords load_bounds(std::uint32_t strip) const {
    StripBoundsWords bounds;
    const std::uint8_t* const aligned = strip_outputs - misalignment % 4 + std::uint64_t{existing(strip)} * 4;
#pragma unroll
    for (std::uint32_t i = 0; i < 3; ++i) load_constant_words<1>(aligned + 4 * i, bounds.words + i);
    return bounds;
  }
  __device__ __forceinline__ StripBounds bounds(std::uint32_t strip, const StripBoundsWords& loaded) const {
    const std::uint32_t shift = misalignment % 4 * 8;
    return {.begin = shift_words(loaded.words[0], loaded.words[1], shift),
            .end = strip + 1 == strip_count ? uncompressed_bytes
                                            : shift_words(loaded.words[1], loaded.words[2], shift)};
  }
  /// Codes from the start of strip `strip` to the end of the block.
  __device__ __forceinline__ std::uint32_t codes_from(std::uint32_t strip) const {
    return code_count - strip * strip_tiles * Codes::shape().codes();
  }
  /// The first tile of strip `strip`, or of the last one if there are fewer.
  __device__ __forceinline__ std::uint32_t first_tile(std::uint32_t strip) const {
    return existing(strip) * strip_tiles;
  }
  __device__ __forceinline__ void load(Codes& codes, std::uint32_t tile, std::uint32_t lane) const {
    if (misalignment == 0) {
      codes.load_aligned(tile_at(tiles, tile), lane);
      codes.settle(lane);
    } else {
      codes.load(tile_at(tiles, tile), lane);
    }
  }
  /// Starts to load codes of tile `tile`; a warp waits for them in complete(). No branch depends on the
  /// alignment: where branches meet, the warp would wait for what was loaded in one of them.
  __device__ __forceinline__ void start_load(Codes& codes, std::uint32_t tile, std::uint32_t lane) const {
    codes.load_aligned(tile_at(tiles - misalignment, tile), lane);
  }
  /// Puts in its place what start_load() has loaded, or loads again what it could not load as it stands.
  __device__ __forceinline__ void complete(Codes& codes, std::uint32_t tile, std::uint32_t lane) const {
    codes.settle(lane);
    if (misalignment != 0) codes.load(tile_at(tiles, tile), lane);
  }

private:
  __device__ __forceinline__ std::uint32_t existing(std::uint32_t strip) const {
    return strip < strip_count ? strip : strip_count - 1;
  }
  __device__ __forceinline__ static const std::uint8_t* tile_at(const std::uint8_t* first,
                                                                std::uint32_t tile) {
    return first + std::uint64_t{tile} * Codes::shape().bytes();
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
