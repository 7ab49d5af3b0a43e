#include "reference_cpu/decoder.hpp"

namespace gsst::reference {

const char* describe(DecodeProblem problem) {
  switch (problem) {
    case DecodeProblem::none:
      return "";
    case DecodeProblem::code_without_symbol:
      return "a code has no symbol in the table";
    case DecodeProblem::escape_at_end:
      return "the last code is an escape with no byte after it";
    case DecodeProblem::output_too_long:
      return "decode to more bytes than stated";
    case DecodeProblem::output_too_short:
      return "decode to fewer bytes than stated";
  }
  return "";
}

DecodeProblem decode(const format::SymbolTable& table, std::span<const std::uint8_t> codes,
                     std::span<std::uint8_t> output) {
  std::size_t written = 0;
  std::size_t position = 0;
  while (position < codes.size()) {
    const std::uint8_t code = codes[position++];
    if (code == format::escape_code) {
      if (position == codes.size()) return DecodeProblem::escape_at_end;
      if (written == output.size()) return DecodeProblem::output_too_long;
      output[written++] = codes[position++];
      continue;
    }
    const unsigned length = table.lengths[code];
    if (length == 0) return DecodeProblem::code_without_symbol;
    if (length > output.size() - written) return DecodeProblem::output_too_long;
    for (unsigned byte = 0; byte < length; ++byte) {
      output[written++] = static_cast<std::uint8_t>(table.symbols[code] >> (8 * byte));
    }
  }
  return written == output.size() ? DecodeProblem::none : DecodeProblem::output_too_short;
}

DecodedSize decoded_size(const format::SymbolTable& table, std::span<const std::uint8_t> codes) {
  DecodedSize size{.bytes = 0, .problem = DecodeProblem::none};
  std::size_t position = 0;
  while (position < codes.size()) {
    const std::uint8_t code = codes[position++];
    if (code == format::escape_code) {
      if (position == codes.size()) {
        size.problem = DecodeProblem::escape_at_end;
        return size;
      }
      ++position;
      ++size.bytes;
      continue;
    }
    if (table.lengths[code] == 0) {
      size.problem = DecodeProblem::code_without_symbol;
      return size;
    }
    size.bytes += table.lengths[code];
  }
  return size;
}

}  // namespace gsst::reference
