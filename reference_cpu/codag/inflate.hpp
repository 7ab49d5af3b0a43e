#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "common/format/codag/deflate.hpp"

/// Decoding of raw Deflate, bit by bit from RFC 1951: the oracle of the stages of format deflate. It shares
/// nothing with the library that encodes.
namespace gsst::reference::codag {

/// What streams have had in them, added up over calls: tests ask it whether they met everything.
struct InflateCensus {
  /// Blocks by their type, 0 to 2: stored, fixed codes, dynamic codes.
  std::array<std::uint64_t, 3> blocks{};
  /// Symbols of the code lengths, 0 to 18.
  std::array<std::uint64_t, 19> length_symbols{};
  /// Of literals and lengths 0 to 15, by the bits of their codes in dynamic blocks.
  std::array<std::uint64_t, format::codag::deflate_longest_code + 1> code_bits{};
  /// Matches by their length, and by the symbol of their distance.
  std::array<std::uint64_t, format::codag::deflate_longest_match + 1> match_lengths{};
  std::array<std::uint64_t, 30> distance_symbols{};
  std::uint32_t longest_distance = 0;
};

/// What a payload decodes to.
struct Inflated {
  /// Right as far as it goes.
  std::vector<std::uint8_t> bytes;
  format::codag::DeflateStatus status = format::codag::DeflateStatus::decoded;
  /// The byte of the payload in which the wrong element begins (FORMAT.md, section 13.6); where the status is
  /// 0, all bytes of the payload.
  std::uint64_t position = 0;
};

/// Decodes `payload`, all of it, to at most `most_bytes` bytes. Never says that the output is too short.
/// Adds to `census` unless it is null.
Inflated inflate_payload(std::span<const std::uint8_t> payload, std::uint64_t most_bytes,
                         InflateCensus* census = nullptr);

}  // namespace gsst::reference::codag
