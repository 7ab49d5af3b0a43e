#include "reference_cpu/fast_decoder.hpp"

#include <bit>
#include <cstddef>
#include <cstring>

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

}  // namespace

DecodeProblem decode_fast(const format::SymbolTable& table, std::span<const std::uint8_t> codes,
                          std::span<std::uint8_t> output) {
  const SpecialCodeFinder special(table.symbol_count);
  const std::uint8_t* in = codes.data();
  const std::uint8_t* const in_end = in + codes.size();
  std::uint8_t* out = output.data();
  std::uint8_t* const out_end = out + output.size();

  // Each symbol is stored as 8 bytes whatever its length, and the next one overwrites what is too much. So a
  // step needs room for 64 bytes; the last bytes are left to decode().
  const auto put = [&](std::uint8_t code) {
    std::memcpy(out, &table.symbols[code], format::max_symbol_length);
    out += table.lengths[code];
  };
  while (in_end - in >= static_cast<std::ptrdiff_t>(codes_per_step) &&
         out_end - out >= static_cast<std::ptrdiff_t>(step_output_bytes)) {
    std::uint64_t word;
    std::memcpy(&word, in, sizeof(word));
    const std::uint64_t found = special.find(word);
    if (found == 0) [[likely]] {
      for (std::size_t i = 0; i < codes_per_step; ++i) put(static_cast<std::uint8_t>(word >> (8 * i)));
      in += codes_per_step;
      continue;
    }
    const auto plain_codes = static_cast<unsigned>(std::countr_zero(found)) / 8;
    for (unsigned i = 0; i < plain_codes; ++i) put(static_cast<std::uint8_t>(word >> (8 * i)));
    in += plain_codes;
    if (*in != format::escape_code) return DecodeProblem::code_without_symbol;
    if (in_end - in < 2) return DecodeProblem::escape_at_end;
    *out++ = in[1];
    in += 2;
  }
  return decode(table, {in, in_end}, {out, out_end});
}

}  // namespace gsst::reference
