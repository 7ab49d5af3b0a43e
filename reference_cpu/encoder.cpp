#include "reference_cpu/encoder.hpp"

#include <stdexcept>
#include <string>

#include "reference_cpu/encode_step.hpp"

namespace gsst::reference {

Encoder::Encoder(const format::SymbolTable& table) {
  for (unsigned code = 0; code < table.symbol_count; ++code) {
    matcher_.insert(table.symbols[code], table.lengths[code], static_cast<std::uint8_t>(code));
  }
}

std::size_t Encoder::encode(std::span<const std::uint8_t> input, std::span<std::uint8_t> output) const {
  if (output.size() < max_encoded_bytes(input.size())) {
    throw std::invalid_argument("encode: the output has " + std::to_string(output.size()) + " bytes, needs " +
                                std::to_string(max_encoded_bytes(input.size())));
  }
  EncodePosition position{.in = input.data(), .out = output.data()};
  const std::uint8_t* const end = input.data() + input.size();
  while (end - position.in >= 8) encode_step(matcher_, position);
  while (position.in != end) {
    encode_step_at_end(matcher_, position, static_cast<std::size_t>(end - position.in));
  }
  return static_cast<std::size_t>(position.out - output.data());
}

}  // namespace gsst::reference
