#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_cpu/studied_works.hpp"

namespace gsst::experiments {

struct CodecsOptions {
  std::filesystem::path input;
  /// Slow codecs make fewer; each row says how many.
  std::size_t repetitions;
};

/// Compression ratio and decompression throughput of this project's decoders and of every peer that was
/// found, each from memory to memory on one thread with the whole input in one call (thesis Fig 2.2). Names
/// on standard error each `missing codec: NAME`. Throws InputError, CodecError and
/// MismatchError.
std::vector<StudiedWork> codecs_works(const CodecsOptions& options, const Dataset& dataset);

}  // namespace gsst::experiments
