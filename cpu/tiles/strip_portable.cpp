#include <cstdint>
#include <cstring>

#include "cpu/tiles/byte_codes.hpp"
#include "cpu/tiles/strip_decoders.hpp"
#include "cpu/tiles/strip_loop.hpp"

// Plain C++: loops that a compiler makes vectors of unpack the codes of a group, then each is looked up.
namespace gsst::cpu::tiles {
namespace {

struct Portable {
  template <CodeKind Kind>
  [[gnu::always_inline]] static std::uint8_t* decode_group(const CodeTable& table, const GroupCodes& codes,
                                                           std::uint8_t* output) {
    if constexpr (Kind == CodeKind::bits_8) return put_byte_codes(table, codes.bytes, output);
    if constexpr (Kind == CodeKind::bits_8_with_halves) return put_with_halves(table, codes, output);
    if constexpr (Kind == CodeKind::bits_10) return put_10_bits(table, codes, output);
    if constexpr (Kind == CodeKind::bits_12) return put_12_bits(table, codes, output);
  }

private:
  [[gnu::always_inline]] static std::uint8_t* put_symbols(const CodeTable& table,
                                                          const std::uint16_t* indices,
                                                          std::uint8_t* output) {
    for (std::uint32_t i = 0; i < group_codes; i += 8) {
#pragma GCC unroll 8
      for (std::uint32_t j = 0; j < 8; ++j) output = put_symbol(table, indices[i + j], output);
    }
    return output;
  }

  // What a code means depends on whether the one before is a first half: no branch asks.
  [[gnu::always_inline]] static std::uint8_t* put_with_halves(const CodeTable& table, const GroupCodes& codes,
                                                              std::uint8_t* output) {
    alignas(64) std::uint8_t before[group_codes];
    std::memcpy(before, codes.bytes - 1, group_codes);
    if (codes.is_first) before[0] = 0xff;
    alignas(64) std::uint16_t indices[group_codes];
    unsigned others = 0;
    for (std::uint32_t i = 0; i < group_codes; ++i) {
      const unsigned code = codes.bytes[i];
      const unsigned is_second = before[i] < 16 ? 0xffffU : 0U;
      others |= is_second & ((code >> 4) ^ 1U);
      const unsigned literal = literal_bytes + (before[i] << 4 | (code & 0xfU));
      indices[i] = static_cast<std::uint16_t>((literal & is_second) | (code & ~is_second));
    }
    if (others != 0) return nullptr;
    keep_in_memory(indices);
    return put_symbols(table, indices, output);
  }

  [[gnu::always_inline]] static std::uint8_t* put_10_bits(const CodeTable& table, const GroupCodes& codes,
                                                          std::uint8_t* output) {
    for (std::uint32_t i = 0; i < group_codes; i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, codes.bytes + i, sizeof word);
      std::uint16_t rest = 0;
      std::memcpy(&rest, codes.rest + i / 4, sizeof rest);
#pragma GCC unroll 8
      for (unsigned j = 0; j < 8; ++j) {
        const auto high = static_cast<std::uint8_t>(word >> (8 * j));
        const unsigned low = rest >> (8 * (j % 2) + 2 * (j / 2)) & 3U;
        output = put_symbol(table, std::size_t{high} << 2 | low, output);
      }
    }
    return output;
  }

  [[gnu::always_inline]] static std::uint8_t* put_12_bits(const CodeTable& table, const GroupCodes& codes,
                                                          std::uint8_t* output) {
    alignas(64) std::uint16_t indices[group_codes];
    for (std::size_t pair = 0; pair < group_codes / 2; ++pair) {
      const unsigned rest = codes.rest[pair];
      indices[2 * pair] = static_cast<std::uint16_t>(codes.bytes[2 * pair] | (rest & 0xfU) << 8);
      indices[2 * pair + 1] = static_cast<std::uint16_t>(codes.bytes[2 * pair + 1] | rest >> 4 << 8);
    }
    keep_in_memory(indices);
    // With the lengths of all codes beside the symbols a first-level cache of 32 KB would be full.
    for (std::uint32_t i = 0; i < group_codes; i += 8) {
#pragma GCC unroll 8
      for (std::uint32_t j = 0; j < 8; ++j) {
        const std::size_t index = indices[i + j];
        std::memcpy(output, &table.symbols[index], sizeof(std::uint64_t));
        output += table.class_lengths[index >> 8];
      }
    }
    return output;
  }
};

}  // namespace

StripProblem decode_strip_portable(const CodeTable& table, const StripCodes& strip,
                                   const StripOutput& output) {
  return decode_strip_with<Portable>(table, strip, output);
}

}  // namespace gsst::cpu::tiles
