#pragma once

#include <filesystem>
#include <vector>

#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_cpu/studied_works.hpp"

namespace gsst::experiments {

struct LengthsOptions {
  std::filesystem::path input;
  /// Bytes of the longest symbol, 2 to 16.
  std::vector<unsigned> longest;
  /// Of the training that format tiles has, which is measured beside the study's.
  unsigned level;
};

/// Stored bytes of the second half of the input in 12-bit codes whose symbols have up to so many bytes, with
/// a table trained on the first half; and of the same in format tiles, whose symbols have up to 8. Each is
/// verified by decoding. Throws InputError and MismatchError.
std::vector<StudiedWork> lengths_works(const LengthsOptions& options, const Dataset& dataset);

}  // namespace gsst::experiments
