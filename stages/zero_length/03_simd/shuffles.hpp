#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

/// Tables for the byte shuffle of SSSE3 and AVX2: byte i of an entry says which byte goes to place i.
namespace gsst::zero_length {

/// A shuffle of 8 bytes with zeros after them. It makes 15 bytes at most: the last byte of the entry says how
/// many, and as a shuffle it takes one of the zeros or a byte that nobody reads.
struct alignas(16) Shuffle {
  static constexpr std::uint8_t no_byte = 0x80;
  std::array<std::uint8_t, 16> bytes;

  constexpr Shuffle() : bytes() {
    bytes.fill(no_byte);
    bytes[15] = 0;
  }

  constexpr std::uint8_t made_bytes() const { return bytes[15]; }
  /// Adds byte `from` at the end.
  constexpr void take(std::size_t from) {
    if (made_bytes() < 15) bytes[made_bytes()] = static_cast<std::uint8_t>(from);
    bytes[15] = static_cast<std::uint8_t>(bytes[15] + 1);
  }
  /// Adds `count` zeros at the end.
  constexpr void make_zeros(std::size_t count) { bytes[15] = static_cast<std::uint8_t>(bytes[15] + count); }
};

/// For 8 bytes: those of the index, a mask, moved together. Half an entry: the bits of the mask say how many.
constexpr std::array<std::array<std::uint8_t, 8>, 256> make_kept_shuffles() {
  std::array<std::array<std::uint8_t, 8>, 256> table{};
  for (std::size_t kept = 0; kept < table.size(); ++kept) {
    std::size_t place = 0;
    for (std::size_t byte = 0; byte < 8; ++byte) {
      if ((kept >> byte & 1) != 0) table[kept][place++] = static_cast<std::uint8_t>(byte);
    }
  }
  return table;
}

/// For 4 bytes: those of the low half of the index, each followed by a zero where its bit of the high half is
/// set.
constexpr std::array<Shuffle, 256> make_marked_shuffles() {
  std::array<Shuffle, 256> table{};
  for (std::size_t index = 0; index < table.size(); ++index) {
    for (std::size_t byte = 0; byte < 4; ++byte) {
      if ((index >> byte & 1) != 0) table[index].take(byte);
      if ((index >> byte & 0x10) != 0) table[index].make_zeros(1);
    }
  }
  return table;
}

/// For 8 bytes of elements whose runs all have four zeros and do not touch: the index says with bit i that
/// the byte before byte i is a marker. A marker makes one zero and a length three, also where the two are not
/// among the same 8 bytes: 14 bytes at most. What indexes of runs that touch say is meaningless.
constexpr std::array<Shuffle, 512> make_fours_shuffles() {
  std::array<Shuffle, 512> table{};
  for (std::size_t index = 0; index < table.size(); ++index) {
    for (std::size_t byte = 0; byte < 8; ++byte) {
      const bool is_length = (index >> byte & 1) != 0;
      const bool is_marker = (index >> byte & 2) != 0;
      if (is_length || is_marker) {
        table[index].make_zeros(is_length ? 3 : 1);
      } else {
        table[index].take(byte);
      }
    }
  }
  return table;
}

/// For 4 bytes of elements whose runs all have four zeros: bit i of the index says that the byte before byte
/// i is the marker of a run, bit 5 + i that byte i is the second byte of a literal marker. 8 bytes at most.
constexpr std::array<Shuffle, 512> make_mixed_shuffles() {
  std::array<Shuffle, 512> table{};
  for (std::size_t index = 0; index < table.size(); ++index) {
    for (std::size_t byte = 0; byte < 4; ++byte) {
      if ((index >> (5 + byte) & 1) != 0) continue;
      const bool is_length = (index >> byte & 1) != 0;
      const bool is_marker = (index >> byte & 2) != 0;
      if (is_length || is_marker) {
        table[index].make_zeros(is_length ? 3 : 1);
      } else {
        table[index].take(byte);
      }
    }
  }
  return table;
}

}  // namespace gsst::zero_length
