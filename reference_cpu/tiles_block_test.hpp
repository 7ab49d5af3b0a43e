#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/format/gsst/tiles.hpp"

/// Blocks of format tiles that tests put together from codes.
namespace gsst::reference::test {

/// What codes are, for parameters of tests.
struct TileCodes {
  std::uint32_t code_bits;
  bool escape_free;
};
inline constexpr std::array<TileCodes, 4> all_tile_codes = {{{8, true}, {8, false}, {10, true}, {12, true}}};

inline std::string describe(const TileCodes& codes, std::uint32_t codes_per_lane) {
  return std::to_string(codes.code_bits) + " bits" + (codes.escape_free ? "" : " with halves") + ", " +
         std::to_string(codes_per_lane) + " codes a lane";
}

/// A block of these codes, whatever they mean, whose strips have the bytes that their codes decode to.
inline std::vector<std::uint8_t> tiles_block_of(const format::TileShape& shape, std::uint32_t tiles_per_strip,
                                                const format::TileTable& table,
                                                std::span<const std::uint16_t> codes) {
  std::vector<std::uint32_t> strip_outputs;
  std::uint32_t bytes = 0;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (i % (std::size_t{tiles_per_strip} * shape.codes()) == 0) strip_outputs.push_back(bytes);
    bytes += table.length(codes[i]);
  }
  return format::build_tiles_block({.shape = shape,
                                    .tiles_per_strip = tiles_per_strip,
                                    .uncompressed_bytes = bytes,
                                    .table = table,
                                    .codes = codes,
                                    .strip_outputs = strip_outputs});
}

}  // namespace gsst::reference::test
