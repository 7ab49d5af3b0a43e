#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/format/gsst/tiles.hpp"
#include "reference_cpu/table_encoder.hpp"

/// Blocks of format tiles, encoded and decoded (FORMAT.md, section 9).
namespace gsst::reference {

/// How many codes a strip may have at most: as many whole tiles as that are.
inline constexpr std::array<std::uint32_t, 3> tile_strip_codes = {512, 1024, 2048};
/// A strip is long enough to hide the work of starting it, and short: the memory is fastest where the strips
/// that a GPU's warps write at the same time lie close together. 7 to 12 KB of output.
inline constexpr std::uint32_t default_strip_codes = 2048;

/// How a block is cut and parsed.
struct TileOptions {
  /// Codes of a lane: 16, 24 or 32.
  std::uint32_t codes_per_lane = 32;
  /// One of tile_strip_codes, at least the codes of a tile.
  std::uint32_t strip_codes = default_strip_codes;
  Parse parse = Parse::greedy;
};

/// Encodes `input` (1 to format::max_block_bytes bytes) as a block of tiles. Throws std::invalid_argument if
/// the table is free of escapes and a byte of the input has no symbol, or if a strip holds no tile.
std::vector<std::uint8_t> encode_tiles(const format::TileTable& table, std::span<const std::uint8_t> input,
                                       const TileOptions& options = {});

/// Decodes strip `strip` of a block that format::check_tiles_block() has accepted into `output`, which has
/// exactly the strip's bytes. `table` is the block's own or the one that it shares. Throws
/// format::FormatError naming `block_number` and the strip if the codes decode to more or fewer bytes.
void decode_strip(const format::TilesHeader& block, const format::TileTable& table, std::uint32_t strip,
                  std::span<std::uint8_t> output, std::optional<std::uint64_t> block_number);

/// Decodes all strips of a block that holds its table into `output`, which has exactly
/// block.uncompressed_bytes() bytes, with up to `threads` threads. Throws as decode_strip().
void decode_tiles(const format::TilesHeader& block, std::span<std::uint8_t> output,
                  std::optional<std::uint64_t> block_number, unsigned threads = 1);

}  // namespace gsst::reference
