#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

#include "common/format/gsst/symbol_table.hpp"
#include "reference_cpu/encoder.hpp"
#include "reference_cpu/optimal_encoder.hpp"
#include "reference_cpu/parse.hpp"

namespace gsst::reference {

/// The encoder of a parse.
class TableEncoder {
public:
  TableEncoder(const format::SymbolTable& table, Parse parse) : encoder_(make(table, parse)) {}

  /// Encodes `input` to the start of `output`, which has at least Encoder::max_encoded_bytes(input.size())
  /// bytes, and returns the bytes written; those behind them may be overwritten too. Throws
  /// std::invalid_argument if `output` is smaller.
  std::size_t encode(std::span<const std::uint8_t> input, std::span<std::uint8_t> output) const {
    if (const auto* const greedy = std::get_if<Encoder>(&encoder_)) return greedy->encode_fast(input, output);
    return std::get<OptimalEncoder>(encoder_).encode(input, output);
  }

private:
  using AnyEncoder = std::variant<Encoder, OptimalEncoder>;

  static AnyEncoder make(const format::SymbolTable& table, Parse parse) {
    if (parse == Parse::greedy) return AnyEncoder(std::in_place_type<Encoder>, table);
    return AnyEncoder(std::in_place_type<OptimalEncoder>, table);
  }

  AnyEncoder encoder_;
};

}  // namespace gsst::reference
