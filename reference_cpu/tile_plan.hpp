#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "common/format/gsst/tiles.hpp"
#include "reference_cpu/parse.hpp"
#include "reference_cpu/tile_codec.hpp"

/// How blocks of format tiles are made: what is not asked for is chosen by measuring a sample.
namespace gsst::reference {

/// What is asked for. 0: chosen for the input.
struct TileRequest {
  /// 8, 10 or 12.
  std::uint32_t code_bits = 0;
  /// 16, 24 or 32.
  std::uint32_t codes_per_lane = 0;
  /// One of tile_strip_codes, at least the codes of a tile. It is the caller's alone to choose.
  std::uint32_t strip_codes = default_strip_codes;
  unsigned level = 1;
  Parse parse = Parse::greedy;
};

using format::tile_code_bits;
using format::tile_codes_per_lane;

/// What a choice was made by; nothing where none was left.
struct TileChoice {
  std::uint32_t code_bits = 8;
  std::uint32_t codes_per_lane = 32;
  /// The most that was asked for.
  std::uint32_t strip_codes = default_strip_codes;
  Parse parse = Parse::greedy;
  /// For each of tile_code_bits what the input is expected to be divided by.
  std::optional<std::array<double, 3>> ratios;
  /// For each of tile_codes_per_lane the rounds that a warp's store to shared memory takes on average.
  std::optional<std::array<double, 3>> store_rounds;
};

/// Codes of each strip but a block's last one: whole tiles.
std::uint32_t codes_per_strip(const TileChoice& choice);

/// The choice in words, for example `12-bit codes (expected ratio 3.9; 8 bits 3.4, 10 bits 3.8), 32
/// a lane, strips of 2048 codes, greedy parse`.
std::string describe(const TileChoice& choice);

/// A table and what else blocks are made with.
struct TilePlan {
  format::TileTable table;
  TileChoice choice;
};

/// Trains a table for `input` and chooses what `request` leaves open. The width is 8 bits for levels 1 and 2,
/// and else the one that makes the input smallest among those that a GPU is expected to decode nearly as fast
/// as the fastest: its memory is the limit where codes stand for many bytes, the codes are where they do not.
/// A width with which the input is larger than with the thesis's table is out, unless all are: then, from
/// level 6 on, 12 bits are tried once more with a larger sample, and the width that makes the input smallest
/// is taken. The number of codes in a lane is the largest, or less where the lanes would meet in the banks of
/// shared memory or where a strip would hold no tile. Up to `threads` threads work on it. The same bytes and
/// request give the same plan on every machine. Throws std::invalid_argument for a level, width or number
/// that is none.
TilePlan plan_tiles(std::span<const std::uint8_t> input, const TileRequest& request, unsigned threads = 1);

/// Whether a block can do with the table of `plan`: each of its bytes has a code, and the thesis's table,
/// which is made fast, would not make the block smaller. The plan's table costs nothing: blocks share it.
bool serves(const TilePlan& plan, std::span<const std::uint8_t> block, const TileRequest& request);

}  // namespace gsst::reference
