#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_cpu/studied_works.hpp"

namespace gsst::experiments {

/// What gsst_measure_lookups is told.
struct LookupOptions {
  std::filesystem::path input = {};
  /// Formats of columns, a work for each.
  std::vector<std::string> formats = {};
  /// Uncompressed bytes of a block.
  std::uint64_t block_bytes = 0;
  unsigned level = 0;
  /// Times that all strings are looked up in each way.
  std::size_t repetitions = 0;
};

/// A work for each format: its rows are of all lines of the input, looked up once each in random order in the
/// library's column, one by one with and without checksums, in batches of 100,000, and where they are
/// (ranges), on one thread, of whose time on the processor the seconds are. Times are of a plan that has read
/// from every block before; `first_microseconds` of the rows `one string` is the median over the blocks of
/// the first string of each. `microseconds_each` is the median time over the strings. A last work is FSST's:
/// each string is encoded by itself with one table for all, and decoded by the loop of FSST's own library.
/// Every string is compared. Throws InputError for a file that cannot be read or has no line, and
/// MismatchError where bytes differ.
std::vector<StudiedWork> lookup_works(const LookupOptions& options, const Dataset& dataset);

}  // namespace gsst::experiments
