#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_cpu/studied_works.hpp"

namespace gsst::experiments {

struct LevelsOptions {
  std::filesystem::path input;
  /// Levels of format blocks, each with its parse.
  std::vector<unsigned> levels;
  /// Levels of format tiles, each with both parses and every width; wide codes have none below 3.
  std::vector<unsigned> tile_levels;
  /// Bits of a code in format tiles: 8, 10 or 12.
  std::vector<std::uint32_t> code_bits;
  /// What is slow makes fewer; each row says how many.
  std::size_t repetitions;
};

/// Ratio and the times of training, encoding and decoding at each level, on one thread: rows in the form that
/// results have. Each is verified by decoding. Throws InputError and MismatchError.
std::vector<StudiedWork> levels_works(const LevelsOptions& options, const Dataset& dataset);

}  // namespace gsst::experiments
