#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/format/stream.hpp"
#include "common/frame/checksum.hpp"

/// What is said to whatever encodes a file, on the CPU or on an executor of stages, and what it says.
namespace gsst::format {

/// What is chosen of a format's options (reference::CodecOption), by their names; the rest is the encoder's
/// to choose.
using CodecOptions = std::map<std::string, std::uint64_t, std::less<>>;

/// How a file is made.
struct EncodeSettings {
  /// Uncompressed bytes per block, 1 to what the format's codec allows.
  std::uint64_t block_bytes = std::uint64_t{4} << 20;
  /// How much work is done for a smaller output, 1 to the codec's highest level.
  unsigned level = 1;
  /// Checksums of a frame's blocks and index; nothing leaves them to the encoder.
  std::optional<ChecksumKind> checksum_kind = {};
  CodecOptions options = {};
  /// Worker threads; 0 takes one per available core. The output does not depend on it.
  unsigned threads = 0;
};

/// What an encoder has counted and chosen.
struct EncodeTotals : StreamTotals {
  /// How the blocks were made, in words that their number follows: `level 1, ` or `2 tables for `.
  std::string how;
  /// The same as numbers, with their names in reports.
  std::vector<std::pair<std::string, std::uint64_t>> numbers;
};

}  // namespace gsst::format
