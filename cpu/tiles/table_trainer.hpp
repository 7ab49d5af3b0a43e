#pragma once

#include <cstdint>
#include <span>

#include "common/format/gsst/tiles.hpp"
#include "cpu/tiles/instruction_sets.hpp"

namespace gsst::cpu::tiles {

/// Trains a table with length classes for codes of `code_bits` bits, 8, 10 or 12, on a sample of `input`, for
/// the parse of BlockEncoder: of the symbols that start with the same three bytes it has no more than the
/// parse finds. The same input gives the same table with every instruction set. Throws std::invalid_argument
/// for another number of bits.
format::TileTable train_table(std::span<const std::uint8_t> input, std::uint32_t code_bits,
                              const InstructionSet& instructions = instruction_sets().back());

}  // namespace gsst::cpu::tiles
