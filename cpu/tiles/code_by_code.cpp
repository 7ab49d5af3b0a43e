#include "cpu/tiles/code_by_code.hpp"

#include <cstddef>

#include "common/format/gsst/tiles_header.hpp"

namespace gsst::cpu::tiles {
namespace {

std::uint32_t code_bits(CodeKind kind) {
  if (kind == CodeKind::bits_12) return 12;
  return kind == CodeKind::bits_10 ? 10 : 8;
}

}  // namespace

bool decode_code_by_code(const CodeTable& table, const StripCodes& strip, std::uint32_t begin,
                         std::uint32_t end, StripCursor& cursor, const std::uint8_t* output_end) {
  const format::TileShape shape{.code_bits = code_bits(table.kind),
                                .codes_per_lane = strip.tile_codes / format::tile_lanes};
  for (std::uint32_t i = begin; i < end; ++i) {
    const std::uint8_t* const tile = strip.first_tile + std::size_t{i / strip.tile_codes} * strip.tile_bytes;
    const std::uint32_t code = format::tile_code(tile, shape, i % strip.tile_codes);
    const std::size_t length = table.lengths[code];
    const std::uint64_t symbol = table.symbols[code] | cursor.first_half;
    if (length > static_cast<std::size_t>(output_end - cursor.output)) return false;
    for (std::size_t byte = 0; byte < length; ++byte) {
      *cursor.output++ = static_cast<std::uint8_t>(symbol >> (8 * byte));
    }
    cursor.first_half = length == 0 ? symbol : 0;
  }
  return true;
}

}  // namespace gsst::cpu::tiles
