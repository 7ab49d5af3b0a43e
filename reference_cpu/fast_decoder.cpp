#include "reference_cpu/fast_decoder.hpp"

#include <cstddef>
#include <cstring>

#include "reference_cpu/fast_decode_loop.hpp"

namespace gsst::reference {
namespace {

// Each symbol is stored as 8 bytes whatever its length, and the next one overwrites what is too much.
struct PortableStep {
  static std::uint8_t* run(const format::SymbolTable& table, std::uint64_t word, std::uint8_t* out) {
    for (std::size_t i = 0; i < codes_per_step; ++i) {
      const auto code = static_cast<std::uint8_t>(word >> (8 * i));
      std::memcpy(out, &table.symbols[code], format::max_symbol_length);
      out += table.lengths[code];
    }
    return out;
  }
};

}  // namespace

DecodeProblem decode_fast_portable(const format::SymbolTable& table, std::span<const std::uint8_t> codes,
                                   std::span<std::uint8_t> output) {
  return decode_in_steps<PortableStep>(table, codes, output);
}

DecodeProblem decode_fast(const format::SymbolTable& table, std::span<const std::uint8_t> codes,
                          std::span<std::uint8_t> output) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("ssse3") != 0) return decode_fast_ssse3(table, codes, output);
#endif
  return decode_fast_portable(table, codes, output);
}

}  // namespace gsst::reference
