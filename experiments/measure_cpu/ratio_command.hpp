#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_cpu/studied_works.hpp"

namespace gsst::experiments {

struct RatioOptions {
  std::filesystem::path input;
  /// Uncompressed bytes per block; none larger than the input.
  std::vector<std::uint64_t> block_bytes;
  /// Splits per block.
  std::vector<std::uint32_t> splits;
};

/// Compressed bytes of the splits frame for every pair of block size and number of splits (thesis Fig 5.4),
/// each verified by decoding. Memory does not grow with the input; the compressed form goes through a
/// temporary file. Throws InputError and MismatchError.
std::vector<StudiedWork> ratio_works(const RatioOptions& options, const Dataset& dataset);

}  // namespace gsst::experiments
