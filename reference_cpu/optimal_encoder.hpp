#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/format/gsst/symbol_table.hpp"
#include "reference_cpu/symbol_automaton.hpp"

namespace gsst::reference {

/// Replaces bytes by codes, as few as the table's symbols allow: never more than Encoder, which takes the
/// longest symbol at each position, and several times slower.
class OptimalEncoder {
public:
  explicit OptimalEncoder(const format::SymbolTable& table);

  /// Encodes `input` to the start of `output`, which has at least Encoder::max_encoded_bytes(input.size())
  /// bytes, and returns the bytes written. What follows them in `output` is overwritten too. Throws
  /// std::invalid_argument if `output` is smaller.
  std::size_t encode(std::span<const std::uint8_t> input, std::span<std::uint8_t> output) const;

private:
  SymbolAutomaton automaton_;
  // Bytes of input that a code stands for; 1 for the escape with its byte.
  std::array<std::uint8_t, 256> lengths_;
};

}  // namespace gsst::reference
