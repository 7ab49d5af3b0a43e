#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_cpu/studied_works.hpp"

namespace gsst::experiments {

/// What gsst_measure_tiles_speed is told.
struct TilesSpeedOptions {
  std::filesystem::path input = {};
  /// Uncompressed bytes of a block.
  std::uint64_t block_bytes = 0;
  /// A work for each: 8, 10 or 12.
  std::vector<std::uint32_t> code_bits = {};
  unsigned level = 0;
  /// Times that each decoder is timed.
  std::size_t repetitions = 0;
};

/// A work for each width of codes. Its rows are of decoders that run by turns on one processor, from memory
/// to memory and without checksums unless said, timed by what their thread takes of it: `cpu/tiles` with each
/// instruction set of this processor and, with the fastest, with the comparison of checksums of kind
/// xxh64-tree, the decoder of reference_cpu for the same frame, and both decoders of reference_cpu for FSST's
/// codes, on blocks of 4 MiB, of which the portable one makes the steps of FSST's own loop. Headers and
/// tables are read while they are timed. Each row has `times_fsst` as well: the median over the repetitions
/// of what FSST's portable decoder took in proportion to this one. Every output is compared before and after.
/// A last work is of encoders at level 1, with training and checksums of kind xxh64-tree:
/// `cpu/tiles_encoder`, `reference_cpu/tiles_encoder` and, for FSST, `reference_cpu/blocks_encoder`, of the
/// whole input in blocks and of as much of it as is one block of 2 MiB. Throws InputError for a file that
/// cannot be read or is empty, and MismatchError where bytes differ.
std::vector<StudiedWork> tiles_speed_works(const TilesSpeedOptions& options, const Dataset& dataset);

}  // namespace gsst::experiments
