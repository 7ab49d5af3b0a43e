#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_cpu/studied_works.hpp"

namespace gsst::experiments {

/// Values of an option of a format's codec, one row for each.
struct OptionValues {
  /// Without dashes, as reference::CodecOption has it.
  std::string name;
  std::vector<std::uint64_t> values;
};

struct FormatOptions {
  std::filesystem::path input;
  /// The format's name.
  std::string format;
  /// Uncompressed bytes per block.
  std::vector<std::uint64_t> block_bytes;
  /// Every combination of their values is measured.
  std::vector<OptionValues> options;
  std::size_t repetitions;
};

/// Reads `NAME=1,2,3`. Throws InputError.
OptionValues parse_option_values(const std::string& text);

/// Stored bytes and decompression throughput on one thread of the codec of any format: a work for every block
/// size and every combination of the options' values; verified before and after. Throws InputError for what
/// the codec does not take; works throw MismatchError.
std::vector<StudiedWork> format_works(const FormatOptions& options, const Dataset& dataset);

}  // namespace gsst::experiments
