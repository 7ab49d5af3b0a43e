#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_cpu/studied_works.hpp"

namespace gsst::experiments {

struct ThreadsOptions {
  std::filesystem::path input;
  /// Blocks that the input is cut into, at least 1 and at most one per byte.
  std::uint64_t blocks;
  /// A row for each.
  std::vector<unsigned> threads;
  std::size_t repetitions;
};

/// Decompression throughput against threads, in parallel over blocks, from memory to memory (thesis Fig B.1).
/// Throws InputError and MismatchError.
std::vector<StudiedWork> threads_works(const ThreadsOptions& options, const Dataset& dataset);

}  // namespace gsst::experiments
