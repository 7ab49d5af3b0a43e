#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_cpu/studied_works.hpp"

namespace gsst::experiments {

struct TablesOptions {
  std::filesystem::path input;
  /// Uncompressed bytes per block; each block has a symbol table of its own.
  std::uint64_t block_bytes = 0;
  /// Values of each limit of reference::TableLimits; every combination is tried. 256 is no limit.
  std::vector<unsigned> hash_entries;
  std::vector<unsigned> match_rows;
  std::vector<unsigned> match_pairs;
};

/// Trains the tables of the input's blocks under each combination of limits, encodes the blocks with them in
/// splits of 4 KiB, and decodes them to verify. A row has the compressed bytes and, under `tables`, what the
/// tables hold (GPU encoder paper 4.1): their number, symbols by length, mean entries of FSST's table of
/// short codes, and of the two-byte symbols the rows (different first bytes) and columns (symbols of a row),
/// most and mean. Throws InputError and MismatchError.
std::vector<StudiedWork> tables_works(const TablesOptions& options, const Dataset& dataset);

}  // namespace gsst::experiments
