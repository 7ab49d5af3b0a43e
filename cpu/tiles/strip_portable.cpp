#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cpu/tiles/strip_decoders.hpp"
#include "cpu/tiles/strip_loop.hpp"

// C++ and the vectors of 16 bytes that compilers have for every processor. The length of each symbol is
// looked up, and a store puts 8 bytes: the next symbol overwrites what is too much.
namespace gsst::cpu::tiles {
namespace {

static_assert(std::endian::native == std::endian::little, "symbols are stored as words");

struct Portable {
  static constexpr bool keeps_first_half = true;

  template <CodeKind Kind>
  [[gnu::always_inline]] static void unpack(const CodeTable&, const StoredCodes& codes, std::uint32_t count,
                                            UnpackedCodes& unpacked) {
    if constexpr (Kind == CodeKind::bits_10) unpack_10_bits(codes, count, unpacked.indices);
    if constexpr (Kind == CodeKind::bits_12) unpack_12_bits(codes, count, unpacked.indices);
  }

  template <CodeKind Kind>
  [[gnu::always_inline]] static StripCursor put_group(const CodeTable& table, const UnpackedCodes& unpacked,
                                                      std::uint32_t first, StripCursor at) {
    if constexpr (Kind == CodeKind::bits_8 || Kind == CodeKind::bits_8_with_halves) {
      const std::uint8_t* const codes = unpacked.bytes + first;
      for (std::uint32_t i = 0; i < group_codes; i += 8) {
        std::uint64_t eight = 0;
        std::memcpy(&eight, codes + i, sizeof eight);
#pragma GCC unroll 8
        for (int j = 0; j < 8; ++j) at = put<Kind>(table, eight >> (8 * j) & 0xff, at);
      }
    } else {
      const std::uint16_t* const indices = unpacked.indices + first;
      for (std::uint32_t i = 0; i < group_codes; i += 4) {
        const std::uint32_t two = load_word(indices + i);
        const std::uint32_t more = load_word(indices + i + 2);
        at = put<Kind>(table, two & 0xffff, at);
        at = put<Kind>(table, two >> 16, at);
        at = put<Kind>(table, more & 0xffff, at);
        at = put<Kind>(table, more >> 16, at);
      }
    }
    return at;
  }

private:
  template <CodeKind Kind>
  [[gnu::always_inline]] static StripCursor put(const CodeTable& table, std::size_t index, StripCursor at) {
    // With the lengths of all codes of 12 bits next to the symbols a first-level cache of 32 KB would be
    // full.
    const std::uint64_t length =
        Kind == CodeKind::bits_12 ? table.class_lengths[index >> 8] : table.lengths[index];
    std::uint64_t symbol = table.symbols[index];
    if constexpr (Kind == CodeKind::bits_8_with_halves) {
      // A symbol without bytes is the first half of the next.
      symbol |= at.first_half;
      at.first_half = length == 0 ? symbol : 0;
    }
    std::memcpy(at.output, &symbol, sizeof symbol);
    at.output += length;
    return at;
  }

  using Bytes __attribute__((vector_size(8))) = std::uint8_t;
  using Words __attribute__((vector_size(16))) = std::uint16_t;

  [[gnu::always_inline]] static Words load_8_bytes(const std::uint8_t* bytes) {
    Bytes eight;
    std::memcpy(&eight, bytes, sizeof eight);
    return __builtin_convertvector(eight, Words);
  }

  static void unpack_10_bits(const StoredCodes& codes, std::uint32_t count, std::uint16_t* indices) {
    // Moves the two bits of each of eight codes to the top: they are at bit 8 (j % 2) + 2 (j / 2).
    const Words to_top = {1 << 14, 1 << 6, 1 << 12, 1 << 4, 1 << 10, 1 << 2, 1 << 8, 1};
    for (std::uint32_t i = 0; i < count; i += 8) {
      std::uint16_t rest = 0;
      std::memcpy(&rest, codes.rest + i / 4, sizeof rest);
      const Words eight = load_8_bytes(codes.bytes + i) << 2 | (rest * to_top) >> 14;
      std::memcpy(indices + i, &eight, sizeof eight);
    }
  }

  static void unpack_12_bits(const StoredCodes& codes, std::uint32_t count, std::uint16_t* indices) {
    const std::uint8_t* const bytes = codes.bytes;
    for (std::size_t pair = 0; pair < count / 2; ++pair) {
      const unsigned rest = codes.rest[pair];
      indices[2 * pair] = static_cast<std::uint16_t>(bytes[2 * pair] | (rest & 0xfU) << 8);
      indices[2 * pair + 1] = static_cast<std::uint16_t>(bytes[2 * pair + 1] | rest >> 4 << 8);
    }
  }
};

}  // namespace

StripProblem decode_strip_portable(const CodeTable& table, const StripCodes& strip,
                                   const StripOutput& output) {
  return decode_strip_with<Portable>(table, strip, output);
}

}  // namespace gsst::cpu::tiles
