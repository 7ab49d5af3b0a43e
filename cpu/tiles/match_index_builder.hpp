#pragma once

#include "common/format/gsst/tiles.hpp"
#include "cpu/tiles/match_index.hpp"

namespace gsst::cpu::tiles {

/// Most symbols of 3 and more bytes that start with three bytes of the same slot, for codes of `code_bits`
/// bits.
unsigned match_ways(std::uint32_t code_bits);

/// Makes `index` that of `table`. Of symbols that do not fit in their slot the longest are left out last; the
/// input can be encoded without them. Throws std::invalid_argument for a table of 8-bit codes without
/// halves of literal bytes: not every input can be encoded with it.
void build_match_index(const format::TileTable& table, MatchIndex& index);

}  // namespace gsst::cpu::tiles
