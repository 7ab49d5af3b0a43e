#pragma once

#include <cstdint>

#include "common/format/block_format.hpp"
#include "common/format/tile_integer/tile_integer.hpp"

/// One layer of bit packing (FORMAT.md, section 12.6): values without a reference, with one width for each
/// 128.
namespace gsst::format::tile_integer {

/// GPU-BP of the paper's section 9.4.
inline constexpr BlockFormat bp_format{41};

/// Words that a bit of width takes in a packed block.
inline constexpr std::uint32_t words_of_a_bit = packed_block_values / 32;

}  // namespace gsst::format::tile_integer
