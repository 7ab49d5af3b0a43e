#include "reference_cpu/optimal_encoder.hpp"

#include <stdexcept>
#include <string>

#include "reference_cpu/dictionary.hpp"
#include "reference_cpu/encoder.hpp"
#include "reference_cpu/optimal_parse.hpp"

namespace gsst::reference {

static_assert((SymbolAutomaton::literal & 0xff) == format::escape_code);

OptimalEncoder::OptimalEncoder(const format::SymbolTable& table)
    : automaton_(dictionary_of(table).symbols), lengths_(table.lengths) {
  lengths_[format::escape_code] = 1;
}

std::size_t OptimalEncoder::encode(std::span<const std::uint8_t> input,
                                   std::span<std::uint8_t> output) const {
  if (output.size() < Encoder::max_encoded_bytes(input.size())) {
    throw std::invalid_argument("encode: the output has " + std::to_string(output.size()) + " bytes, needs " +
                                std::to_string(Encoder::max_encoded_bytes(input.size())));
  }
  // The best code at each position waits in the second half of the output: the codes of the bytes before a
  // position take at most twice as many bytes, and do not reach it.
  const std::span<std::uint8_t> best_codes = output.subspan(input.size(), input.size());
  OptimalParser parser(automaton_, CodeWidth{8}.literal_codes(), input);
  while (parser.has_next()) {
    const ParsedSegment segment = parser.next();
    for (std::size_t i = 0; i < segment.states.size(); ++i) {
      best_codes[segment.begin + i] =
          static_cast<std::uint8_t>(automaton_.symbol(segment.states[i], segment.lengths[i]));
    }
  }
  std::uint8_t* out = output.data();
  for (std::size_t i = 0; i < input.size();) {
    const std::uint8_t code = best_codes[i];
    // An escaped byte is written whether there is one or not, and counted only if there is: no branch to
    // miss.
    out[0] = code;
    out[1] = input[i];
    out += code == format::escape_code ? 2 : 1;
    i += lengths_[code];
  }
  return static_cast<std::size_t>(out - output.data());
}

}  // namespace gsst::reference
