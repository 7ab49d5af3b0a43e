#pragma once

#include "experiments/measure_cpu/level_row.hpp"

namespace gsst::experiments {

/// Ratio and times of format blocks at a level, which has codes of 8 bits and one parse, on one thread: each
/// block has its own table. Throws MismatchError.
LevelRow measure_level_of_blocks(std::span<const std::uint8_t> input, unsigned level,
                                 std::size_t repetitions);

}  // namespace gsst::experiments
