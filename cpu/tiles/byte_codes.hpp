#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cpu/tiles/strip_loop.hpp"

/// Groups whose codes are found by a table that has the length of each, one store of 8 bytes a code: the next
/// symbol overwrites what is too much. What is here is inlined where it is used, so that no processor runs
/// what is compiled for another.
namespace gsst::cpu::tiles {

static_assert(std::endian::native == std::endian::little, "symbols are stored as words");

/// Puts the symbol of entry `index` at `output` and returns where it ends.
[[gnu::always_inline]] inline std::uint8_t* put_symbol(const CodeTable& table, std::size_t index,
                                                       std::uint8_t* output) {
  std::memcpy(output, &table.symbols[index], sizeof(std::uint64_t));
  return output + table.lengths[index];
}

/// A group of codes that are bytes, without halves: they are shifted out of words, which takes fewer steps
/// than to widen and to store them.
[[gnu::always_inline]] inline std::uint8_t* put_byte_codes(const CodeTable& table, const std::uint8_t* codes,
                                                           std::uint8_t* output) {
  for (std::uint32_t i = 0; i < group_codes; i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, codes + i, sizeof word);
#pragma GCC unroll 8
    for (unsigned byte = 0; byte < 8; ++byte) {
      output = put_symbol(table, static_cast<std::uint8_t>(word >> (8 * byte)), output);
    }
  }
  return output;
}

}  // namespace gsst::cpu::tiles
