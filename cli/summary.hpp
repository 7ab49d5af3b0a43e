#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/options.hpp"

namespace gsst::cli {

/// What was done with one file.
struct Summary {
  Operation operation;
  std::string input;
  /// Empty for -t.
  std::string output;
  /// Its name.
  std::string_view format;
  /// Id of the stage that did it; empty for the reference codec.
  std::string stage = {};
  /// reference::EncodeTotals, or how the file is laid out; may be empty.
  std::string how = {};
  std::vector<std::pair<std::string, std::uint64_t>> numbers = {};
  /// Most input bytes of a block; absent where nothing was compressed.
  std::optional<std::uint64_t> block_bytes = std::nullopt;
  std::uint64_t blocks;
  std::uint64_t uncompressed_bytes;
  std::uint64_t compressed_bytes;
  /// From opening the input to the finished output.
  double seconds;
};

/// A line for people, without its end; `verbose` adds format, stage, how it was compressed, blocks with their
/// size, and rate.
std::string summary_text(const Summary& summary, bool verbose);

/// The same for programs.
nlohmann::ordered_json summary_json(const Summary& summary);

/// Uncompressed by compressed size; null if nothing was compressed.
nlohmann::ordered_json ratio_json(std::uint64_t uncompressed_bytes, std::uint64_t compressed_bytes);

/// `value` as indented text with a line end. Bytes of file names that are not UTF-8 become U+FFFD.
std::string json_text(const nlohmann::ordered_json& value);

}  // namespace gsst::cli
