#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/format/gsst/symbol_table.hpp"
#include "reference_cpu/symbol_matcher.hpp"

namespace gsst::reference {

/// Replaces bytes by codes: at each position the longest symbol that matches, else an escape.
///
/// Symbols of 3 and more bytes are found through one slot of a hash table chosen by their first three bytes.
/// A table in which two symbols share a slot still encodes correctly; the one with the higher code is not
/// used.
class Encoder {
public:
  explicit Encoder(const format::SymbolTable& table);

  /// Bytes that the codes of `input_bytes` bytes take at most: each byte escaped.
  static constexpr std::size_t max_encoded_bytes(std::size_t input_bytes) { return 2 * input_bytes; }

  /// Encodes `input` to the start of `output`, which has at least max_encoded_bytes(input.size()) bytes, and
  /// returns the bytes written. Throws std::invalid_argument if `output` is smaller.
  std::size_t encode(std::span<const std::uint8_t> input, std::span<std::uint8_t> output) const;

  /// As encode(): the same bytes, four parses at a time.
  std::size_t encode_fast(std::span<const std::uint8_t> input, std::span<std::uint8_t> output) const;

private:
  SymbolMatcher matcher_;
};

}  // namespace gsst::reference
