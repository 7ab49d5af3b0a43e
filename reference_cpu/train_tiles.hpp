#pragma once

#include <cstdint>
#include <span>

#include "common/format/tiles.hpp"
#include "reference_cpu/train.hpp"

namespace gsst::reference {

/// The table with length classes that `level` gives `input`, for codes of `code_bits` bits (8, 10 or 12): of
/// the symbols that the level trains those that its classes hold and that a sample uses most. Wide codes have
/// no levels below 3 and take that one. 8-bit codes have escapes where a symbol for each byte of the input
/// would cost more. The same bytes, level and seed give the same table on every machine. Throws
/// std::invalid_argument for a level or a number of bits that is none.
format::TileTable train_tile_table(std::span<const std::uint8_t> input, std::uint32_t code_bits,
                                   unsigned level, std::uint64_t seed = default_training_seed);

}  // namespace gsst::reference
