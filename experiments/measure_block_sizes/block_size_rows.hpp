#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_cpu/studied_works.hpp"

namespace gsst::experiments {

/// What gsst_measure_block_sizes is told.
struct BlockSizeOptions {
  std::filesystem::path input = {};
  /// Sizes of blocks that are asked for.
  std::vector<std::uint64_t> block_bytes = {};
  std::size_t repetitions = 0;
};

/// One work: format tiles by the library at its default level, with one thread, in blocks of each size
/// (variant `named`) and of the size that the library chooses (`chosen`, with that size in its parameters),
/// and the levels of zstd in blocks of the larger size that may be chosen. Rows are peer_rows()'s, with the
/// size that was asked for as `named_block_bytes`, 0 for none. Throws InputError for a file that cannot be
/// read or is empty.
std::vector<StudiedWork> block_size_works(const BlockSizeOptions& options, const Dataset& dataset);

}  // namespace gsst::experiments
