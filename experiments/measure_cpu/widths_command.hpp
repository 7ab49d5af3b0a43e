#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_cpu/studied_works.hpp"

namespace gsst::experiments {

struct WidthsOptions {
  std::filesystem::path input;
  /// Uncompressed bytes per block; none larger than the input.
  std::vector<std::uint64_t> block_bytes;
  /// Bits of a code: 8, 10 or 12.
  std::vector<std::uint32_t> code_bits;
  unsigned level;
};

/// Stored bytes of the input in format tiles, for every pair of block size and width: in blocks that share a
/// table, and, of a few blocks, each with its own. Each is verified by decoding. Throws InputError and
/// MismatchError.
std::vector<StudiedWork> widths_works(const WidthsOptions& options, const Dataset& dataset);

}  // namespace gsst::experiments
