#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "common/format/gsst/symbol_table.hpp"
#include "reference_cpu/decoder.hpp"

/// The loop of the fast decoders. In an unnamed namespace on purpose: its includers are compiled for
/// different processors and must not share one copy.
namespace gsst::reference {
namespace {

constexpr std::size_t codes_per_step = 8;
constexpr std::size_t step_output_bytes = codes_per_step * format::max_symbol_length;
constexpr std::uint64_t every_byte = 0x0101010101010101;

// Finds, in eight codes at once, those that need a closer look: the escape and codes without symbol are all
// codes from the symbol count up.
class SpecialCodeFinder {
public:
  explicit SpecialCodeFinder(unsigned symbol_count)
      : addend_(every_byte * ((symbol_count > 128 ? 256 : 128) - symbol_count)),
        high_bit_suffices_(symbol_count <= 128 ? ~std::uint64_t{0} : 0) {}

  // The high bit of each byte that is at least the symbol count. Adding to the low 7 bits carries into the
  // high bit exactly when they reach the limit, and never into the next byte.
  std::uint64_t find(std::uint64_t codes) const {
    const std::uint64_t reaches = (codes & ~(every_byte << 7)) + addend_;
    return ((reaches & codes) | ((reaches | codes) & high_bit_suffices_)) & (every_byte << 7);
  }

private:
  std::uint64_t addend_;
  std::uint64_t high_bit_suffices_;
};

/// As decode(), eight codes at a time. Step::run(table, word, out) decodes the eight codes of `word`, all
/// with a symbol, and returns the end of its output; it may write up to step_output_bytes bytes.
template <typename Step>
DecodeProblem decode_in_steps(const format::SymbolTable& table, std::span<const std::uint8_t> codes,
                              std::span<std::uint8_t> output) {
  const SpecialCodeFinder special(table.symbol_count);
  const std::uint8_t* in = codes.data();
  const std::uint8_t* const in_end = in + codes.size();
  std::uint8_t* out = output.data();
  std::uint8_t* const out_end = out + output.size();

  while (in_end - in >= static_cast<std::ptrdiff_t>(codes_per_step) &&
         out_end - out >= static_cast<std::ptrdiff_t>(step_output_bytes)) {
    std::uint64_t word;
    std::memcpy(&word, in, sizeof(word));
    const std::uint64_t found = special.find(word);
    if (found == 0) [[likely]] {
      out = Step::run(table, word, out);
      in += codes_per_step;
      continue;
    }
    const auto plain_codes = static_cast<unsigned>(std::countr_zero(found)) / 8;
    for (unsigned i = 0; i < plain_codes; ++i, ++in) {
      std::memcpy(out, &table.symbols[*in], format::max_symbol_length);
      out += table.lengths[*in];
    }
    if (*in != format::escape_code) return DecodeProblem::code_without_symbol;
    if (in_end - in < 2) return DecodeProblem::escape_at_end;
    *out++ = in[1];
    in += 2;
  }
  return decode(table, {in, in_end}, {out, out_end});
}

}  // namespace
}  // namespace gsst::reference
