#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "experiments/measure/row.hpp"

namespace gsst::experiments {

struct LevelsOptions {
  std::filesystem::path input;
  /// Levels that are slow to train make fewer; each row says how many.
  std::size_t repetitions;
};

/// What one level made of the input, blocks of format::BlockFormat::blocks and the default size.
struct LevelRow {
  /// The decoder's times, and everything that is stored.
  Row row;
  /// Training of the tables of all blocks.
  SecondsSummary training;
  /// Encoding of all blocks with these tables, the encoder's own tables made within the time.
  SecondsSummary encoding;
  /// The table is trained on every other piece of the input and encodes the pieces between: their bytes, and
  /// the bytes of their codes alone. 0 where the input has one piece only.
  std::size_t held_out_bytes;
  std::size_t held_out_code_bytes;
};

/// Ratio and the times of training, encoding and decoding at each level, on one thread. Throws InputError and
/// MismatchError.
std::vector<LevelRow> measure_levels(const LevelsOptions& options);

/// Writes the rows as write_rows() does, with the keys `training_seconds`, `encoding_seconds`,
/// `held_out_bytes` and `held_out_code_bytes` beside the others. Throws InputError if `path` cannot be
/// written.
void write_level_rows(const std::vector<LevelRow>& rows, const Dataset& dataset,
                      const std::filesystem::path& path);

}  // namespace gsst::experiments
