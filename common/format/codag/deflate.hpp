#pragma once

#include <cstdint>

#include "common/format/block_format.hpp"
#include "common/format/codag/codag.hpp"
#include "common/format/codag/status.hpp"
#include "common/format/host_device.hpp"

/// Format deflate (FORMAT.md, section 13.6): a payload is one raw Deflate stream, as RFC 1951 has it.
namespace gsst::format::codag {

/// What frames store for the format.
inline constexpr BlockFormat deflate_format{67};

/// Files of gzip, which are no frames: zlib reads them.
inline constexpr BlockFormat gzip_format{68};

/// Files of zlib, which are no frames either.
inline constexpr BlockFormat zlib_format{69};

/// A match is 3 to 258 bytes long and lies 1 to 32768 bytes before the output that it writes.
inline constexpr std::uint32_t deflate_shortest_match = 3;
inline constexpr std::uint32_t deflate_longest_match = 258;
inline constexpr std::uint32_t deflate_window_bytes = 32768;

/// Most bits of a code of literals, lengths or distances.
inline constexpr std::uint32_t deflate_longest_code = 15;

/// Most bytes that a byte of a payload decodes to: two bits, one for a length and one for a distance, copy
/// the longest match.
inline constexpr std::uint32_t deflate_bytes_per_payload_byte = 8 / 2 * deflate_longest_match;

/// What became of a payload. The first three are BlockStatus's.
enum class DeflateStatus : std::uint8_t {
  decoded = 0,
  output_too_short = 1,
  output_too_long = 2,
  input_ends_early = 3,
  /// Bytes follow the one in which the last block ends.
  bytes_after_end = 4,
  reserved_block_type = 5,
  /// LEN of a stored block is not the complement of NLEN.
  wrong_stored_length = 6,
  /// HLIT or HDIST says more codes than there are symbols: above 286 or 30.
  too_many_codes = 7,
  /// The code of the code lengths.
  over_subscribed_code_lengths = 8,
  incomplete_code_lengths = 9,
  /// A repeat of a code length where none precedes it, or past the number of codes.
  repeat_without_length = 10,
  repeat_past_end = 11,
  over_subscribed_literals = 12,
  incomplete_literals = 13,
  /// No code for the end of the block.
  no_end_of_block = 14,
  over_subscribed_distances = 15,
  incomplete_distances = 16,
  /// Bits that are no code, or the code of a symbol without a meaning (literals and lengths 286 and 287,
  /// distances 30 and 31).
  unused_length = 17,
  unused_distance = 18,
  /// A match begins before the block's output.
  distance_before_block = 19,
};

/// The largest of them.
inline constexpr std::uint32_t last_deflate_status = 19;

/// The word that a decoder leaves for a block: the status, and above it the byte of the payload in which the
/// element begins that it was found in (FORMAT.md, section 13.6), or the last number where that is larger.
GSST_HOST_DEVICE constexpr std::uint32_t deflate_status_word(DeflateStatus status, std::uint64_t byte) {
  return status_of(static_cast<Problem>(status), byte);
}

/// The status in such a word.
GSST_HOST_DEVICE constexpr DeflateStatus deflate_status_of(std::uint32_t word) {
  return static_cast<DeflateStatus>(word & 0xff);
}

/// Least and most bytes of a payload that decodes to `uncompressed_bytes`. Streams could be longer: there may
/// be any number of empty blocks.
constexpr std::uint64_t min_deflate_bytes(std::uint64_t uncompressed_bytes) {
  return uncompressed_bytes / deflate_bytes_per_payload_byte + 1;
}
constexpr std::uint64_t max_deflate_bytes(std::uint64_t uncompressed_bytes) {
  return 2 * uncompressed_bytes + 1024;
}

}  // namespace gsst::format::codag
