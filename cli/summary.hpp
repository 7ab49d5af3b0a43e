#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "cli/options.hpp"
#include "common/format/block_header.hpp"
#include "reference_cpu/tile_plan.hpp"

namespace gsst::cli {

/// What was done with one file.
struct Summary {
  Operation operation;
  std::string input;
  /// Empty for -t.
  std::string output;
  format::BlockFormat format;
  /// Absent where nothing was compressed.
  std::optional<unsigned> level;
  /// How tiles were made, for the format of that name.
  std::optional<reference::TileChoice> tiles = std::nullopt;
  /// Tables that blocks of tiles are made with.
  std::uint64_t tables = 0;
  /// Most input bytes of a block; absent where nothing was compressed.
  std::optional<std::uint64_t> block_bytes = std::nullopt;
  std::uint64_t blocks;
  std::uint64_t uncompressed_bytes;
  std::uint64_t compressed_bytes;
  /// From opening the input to the finished output.
  double seconds;
};

/// A line for people, without its end; `verbose` adds format, level, blocks with their size, and rate.
std::string summary_text(const Summary& summary, bool verbose);

/// The same for programs.
nlohmann::ordered_json summary_json(const Summary& summary);

/// Uncompressed by compressed size; null if nothing was compressed.
nlohmann::ordered_json ratio_json(std::uint64_t uncompressed_bytes, std::uint64_t compressed_bytes);

/// `value` as indented text with a line end. Bytes of file names that are not UTF-8 become U+FFFD.
std::string json_text(const nlohmann::ordered_json& value);

}  // namespace gsst::cli
