#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_cpu/studied_works.hpp"

namespace gsst::experiments {

/// What gsst_measure_lookups is told.
struct LookupOptions {
  std::filesystem::path input = {};
  /// Uncompressed bytes of a block.
  std::uint64_t block_bytes = 0;
  unsigned level = 0;
  /// Times that the strings are looked up in each way.
  std::size_t repetitions = 0;
};

/// A work for each format of columns, and one for the layout for lookups, whose format is called `lookup`:
/// its rows are of the lines of the input, of which up to 500,000 are looked up once each in random order in
/// the library's column, one by one, in batches of 100,000, and where they are (ranges), on one thread, of
/// whose time on the processor the seconds are. Times are of a plan that has looked all of them up before;
/// `first_microseconds` of the row `one string` is the median over the blocks of the first string of each,
/// and `first_microseconds_unchecked` that without checksums. `microseconds_each` is the median time over the
/// strings. A last work is FSST's: each line is encoded by itself with one table for all, and decoded by a
/// loop with the steps of the one in FSST's library. Every string is compared. Throws InputError for a file
/// that cannot be read or has no line, and MismatchError where bytes differ.
std::vector<StudiedWork> lookup_works(const LookupOptions& options, const Dataset& dataset);

}  // namespace gsst::experiments
