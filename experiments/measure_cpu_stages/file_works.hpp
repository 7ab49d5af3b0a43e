#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_cpu/studied_works.hpp"

namespace gsst::experiments {

struct FileOptions {
  std::filesystem::path input;
  /// Where compressed files are written; removed in the end.
  std::filesystem::path folder;
  /// Slow tools make fewer; each row says how many.
  std::size_t repetitions;
};

/// A work for each entry {"tool": "gzip", "threads": 1} of `files` in the points file at `points`, none
/// where it has no such list: from file to file, by a process of its own, whose time and peak memory a row
/// has. Every work reads the input before, and drops no caches: as in the thesis (5.5), the system has
/// the file in memory. The first and the last compressed file are decompressed and compared with the input.
/// The process is forked, so that the program must not have run several threads of its own before: a points
/// file has `files` or `points`. Throws InputError, and the works throw MismatchError and CodecError.
std::vector<StudiedWork> file_works(const std::filesystem::path& points, const FileOptions& options,
                                    const Dataset& dataset);

}  // namespace gsst::experiments
