#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/format/host_device.hpp"

/// The words that decoders leave for blocks.
namespace gsst::format {

/// What became of a block. Several threads may report; the highest value wins.
enum class BlockStatus : std::uint32_t {
  decoded = 0,
  output_too_short = 1,
  output_too_long = 2,
  escape_at_end = 3,
  code_without_symbol = 4,
  escape_missing = 5,
  /// Of no decoder: the check of the output's checksum (common/frame/checksum_check.hpp).
  wrong_checksum = 255,
};

/// What a kernel reports of a strip of format tiles: the status, and above it the strip, so that of several
/// wrong strips of a block the first wins.
GSST_HOST_DEVICE constexpr std::uint32_t strip_status(BlockStatus status, std::uint32_t strip) {
  constexpr std::uint32_t last_strip = 0xfffffe;
  return (last_strip + 1 - (strip < last_strip ? strip : last_strip)) << 8 |
         static_cast<std::uint32_t>(status);
}

/// The status in a word that a kernel has left for a block.
GSST_HOST_DEVICE constexpr BlockStatus block_status(std::uint32_t word) {
  return static_cast<BlockStatus>(word & 0xff);
}

/// The strip that such a word names, if it names one.
constexpr std::optional<std::uint32_t> wrong_strip(std::uint32_t word) {
  if (word >> 8 == 0) return std::nullopt;
  return 0xffffff - (word >> 8);
}

/// A status in words: field and problem of a FormatError.
struct StatusText {
  std::string field;
  std::string problem;
};

/// What `word`, not 0, says by the meanings above.
StatusText describe_status(std::uint32_t word);

}  // namespace gsst::format
