#pragma once

#include "experiments/measure_cpu/level_row.hpp"

namespace gsst::experiments {

/// Ratio and times of format tiles at a level, with codes of `code_bits` bits that `parse` chooses, on one
/// thread: the blocks share a table that is trained for this parse. Throws MismatchError.
LevelRow measure_level_of_tiles(std::span<const std::uint8_t> input, unsigned level, std::uint32_t code_bits,
                                reference::Parse parse, std::size_t repetitions);

}  // namespace gsst::experiments
