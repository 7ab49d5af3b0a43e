#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_cpu/studied_works.hpp"

namespace gsst::experiments {

struct CompressionOptions {
  std::filesystem::path input;
  /// A row for each.
  std::vector<unsigned> threads;
  std::size_t repetitions;
};

/// Compression throughput of the reference codec against threads, in parallel over blocks of the default
/// size, from memory to memory (GPU encoder paper, Section 7.2): rows in the form that results have. Training
/// and checksums are in the time. Each frame is decompressed and compared before and after the timing. Throws
/// InputError and MismatchError.
std::vector<StudiedWork> compression_works(const CompressionOptions& options, const Dataset& dataset);

}  // namespace gsst::experiments
