#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "common/format/zero_length/zero_length.hpp"
#include "stages/zero_length/03_simd/decode_loop.hpp"
#include "stages/zero_length/03_simd/run_masks.hpp"

/// The steps of processors without a byte shuffle: 8 bytes in a 64-bit word are moved together by shifts.
/// Words are little-endian.
namespace gsst::zero_length {

[[gnu::always_inline]] inline std::uint64_t load_word(const std::uint8_t* from) {
  std::uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

[[gnu::always_inline]] inline void store_word(std::uint8_t* to, std::uint64_t word) {
  std::memcpy(to, &word, sizeof word);
}

/// How the kept bytes of a word move together. Between two pieces that are left out are at least three bytes,
/// the last two of one run and a byte that is no zero, so that a word has three pieces that are kept at most.
struct KeptParts {
  /// The bytes of each piece, where they are in the result.
  std::array<std::uint64_t, 3> masks{};
  /// Bits that the second and the third piece move down.
  std::array<std::uint8_t, 2> shifts{};
  std::uint8_t kept_bytes = 0;
};

/// By the mask of the bytes that are left out. Of masks with more pieces, which no run has, what is there is
/// meaningless.
constexpr std::array<KeptParts, 256> make_kept_parts() {
  std::array<KeptParts, 256> table{};
  for (std::size_t dropped = 0; dropped < table.size(); ++dropped) {
    KeptParts& parts = table[dropped];
    std::size_t piece = 0;
    for (std::size_t byte = 0; byte < 8; ++byte) {
      if ((dropped >> byte & 1) != 0) continue;
      if (byte != 0 && (dropped >> (byte - 1) & 1) != 0) {
        if (++piece == parts.masks.size()) break;
        parts.shifts[piece - 1] = static_cast<std::uint8_t>(8 * (byte - parts.kept_bytes));
      }
      parts.masks[piece] |= std::uint64_t{0xff} << (8 * parts.kept_bytes++);
    }
  }
  return table;
}

/// FF for each bit of the index.
constexpr std::array<std::uint64_t, 256> make_spread_bits() {
  std::array<std::uint64_t, 256> table{};
  for (std::size_t mask = 0; mask < table.size(); ++mask) {
    for (std::size_t byte = 0; byte < 8; ++byte) {
      if ((mask >> byte & 1) != 0) table[mask] |= std::uint64_t{0xff} << (8 * byte);
    }
  }
  return table;
}

inline constexpr std::array<KeptParts, 256> kept_parts = make_kept_parts();
inline constexpr std::array<std::uint64_t, 256> spread_bits = make_spread_bits();

/// Writes what the masks say of a word, in which lengths are not set yet.
[[gnu::always_inline]] inline std::uint8_t* write_word(std::uint64_t word, std::uint64_t dropped,
                                                       std::uint8_t* output) {
  const KeptParts& parts = kept_parts[dropped];
  store_word(output, (word & parts.masks[0]) | (word >> parts.shifts[0] & parts.masks[1]) |
                         (word >> parts.shifts[1] & parts.masks[2]));
  return output + parts.kept_bytes;
}

/// Four literal markers.
inline constexpr std::uint64_t literal_markers = 0x00ff00ff00ff00ff;

/// The same of a word with literal markers, byte by byte without a branch: where they are dense, each branch
/// would be a wrong guess.
[[gnu::always_inline]] inline std::uint8_t* write_marked_word(std::uint64_t word, std::uint64_t dropped,
                                                              std::uint64_t markers, std::uint8_t* output) {
  if (markers == 0xff) {
    store_word(output, literal_markers);
    store_word(output + 8, literal_markers);
    return output + 16;
  }
#pragma GCC unroll 8
  for (int byte = 0; byte < 8; ++byte) {
    // The byte, and the zero that makes a marker a literal one.
    const auto pair = static_cast<std::uint16_t>(word >> (8 * byte) & 0xff);
    std::memcpy(output, &pair, sizeof pair);
    output += (~dropped >> byte & 1) + (markers >> byte & 1);
  }
  return output;
}

/// Writes 64 bytes at `input` as the masks say; `markers` are those that are FF.
[[gnu::always_inline]] inline std::uint8_t* write_words(const std::uint8_t* input, std::uint64_t zeros,
                                                        std::uint64_t markers, const RunMasks& masks,
                                                        unsigned before, std::uint8_t* output) {
  constexpr std::uint64_t fours = 0x0404040404040404;
  alignas(8) std::uint8_t changed[step_bytes];
#pragma GCC unroll 8
  for (int group = 0; group < step_bytes; group += 8) {
    store_word(changed + group, load_word(input + group) | spread_bits[masks.markers >> group & 0xff] |
                                    (spread_bits[masks.counts >> group & 0xff] & fours));
  }
  for (std::uint64_t others = masks.counts & ~masks.fours; others != 0; others &= others - 1) {
    const auto end = static_cast<unsigned>(__builtin_ctzll(others));
    changed[end] = run_length(zeros, end, before);
  }
#pragma GCC unroll 8
  for (int group = 0; group < step_bytes; group += 8) {
    const std::uint64_t dropped = masks.dropped >> group & 0xff;
    const std::uint64_t marked = markers >> group & 0xff;
    const std::uint64_t word = load_word(changed + group);
    output =
        marked == 0 ? write_word(word, dropped, output) : write_marked_word(word, dropped, marked, output);
  }
  return output;
}

/// Whether markers come so close that copying what is between them is slow: four literal ones in a row.
[[gnu::always_inline]] inline bool are_dense(std::uint64_t markers) {
  const std::uint64_t pairs = markers & markers >> 2;
  return (pairs & pairs >> 4) != 0;
}

/// Decodes literal markers, four at a time, as long as there is nothing else. Returns whether there were any.
[[gnu::always_inline]] inline bool decode_literal_markers(DecodeCursor& cursor) {
  const std::uint8_t* const start = cursor.input;
  while (has_room(cursor) && load_word(cursor.input) == literal_markers) {
    store_word(cursor.output, ~std::uint64_t{0});
    cursor.input += 8;
    cursor.output += 4;
  }
  return cursor.input != start;
}

}  // namespace gsst::zero_length
