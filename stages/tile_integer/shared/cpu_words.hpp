#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "stages/tile_integer/shared/cpu_payload.hpp"

/// Numbers of one width, read and written by code for each width: every place and shift is a constant. In C++
/// alone. Unnamed: a file that is compiled for other processors has its own copies.
namespace gsst::tile_integer::cpu {
namespace {

// The `width` bits, at least 1, from bit `bit` on. Reads 8 bytes, or 9 where that many have some of the bits.
template <unsigned Width, std::size_t Bit>
[[gnu::always_inline]] inline std::uint64_t bits_at(const std::uint8_t* from) {
  std::uint64_t bits = load_at<std::uint64_t>(from + Bit / 8) >> Bit % 8;
  if constexpr (Bit % 8 + Width > 64) bits |= std::uint64_t{from[Bit / 8 + 8]} << (64 - Bit % 8);
  return bits & ~std::uint64_t{0} >> (64 - Width);
}

// Writes the 32 numbers of a miniblock, each increased by `reference`. Up to 8 bytes after the miniblock are
// read.
template <unsigned Width, typename Number>
void unpack_width(const std::uint8_t* from, Number reference, std::uint8_t* to) {
  [&]<std::size_t... Index>(std::index_sequence<Index...>) {
    if constexpr (Width == 0) {
      (store_at(to + Index * sizeof(Number), reference), ...);
    } else {
      (store_at(to + Index * sizeof(Number),
                static_cast<Number>(reference + bits_at<Width, Index * Width>(from))),
       ...);
    }
  }
  (std::make_index_sequence<values_of_miniblock>());
}

// Stores the lowest bytes of numbers, a `Stored` each.
template <typename Stored, typename Number>
[[gnu::always_inline]] inline void store_lowest(const Number* numbers, std::size_t count, std::uint8_t* to) {
  for (std::size_t i = 0; i < count; ++i) {
    store_at(to + i * sizeof(Stored), static_cast<Stored>(numbers[i]));
  }
}

// Adds number `index` to the word that is being filled, and stores the word when it is full.
template <unsigned Width, std::size_t Index>
[[gnu::always_inline]] inline void pack_number(std::uint64_t number, std::uint64_t& word, std::uint8_t* to) {
  constexpr std::size_t bit = Index * Width;
  constexpr std::size_t shift = bit % 64;
  word |= number << shift;
  if constexpr (shift + Width >= 64) {
    store_at(to + bit / 64 * 8, word);
    if constexpr (shift + Width > 64) {
      word = number >> (64 - shift);
    } else {
      word = 0;
    }
  }
}

// Writes the miniblock of 32 numbers of at most `width` bits, and nothing after it.
template <unsigned Width, typename Number>
void pack_width(const Number* numbers, std::uint8_t* to) {
  std::uint64_t word = 0;
  [&]<std::size_t... Index>(std::index_sequence<Index...>) {
    (pack_number<Width, Index>(numbers[Index], word, to), ...);
  }
  (std::make_index_sequence<values_of_miniblock>());
  if constexpr (Width % 2 == 1) {
    store_at(to + std::size_t{Width - 1} * 4, static_cast<std::uint32_t>(word));
  }
}

template <typename Number>
using UnpackMiniblock = void (*)(const std::uint8_t* from, Number reference, std::uint8_t* to);
template <typename Number>
using PackMiniblock = void (*)(const Number* numbers, std::uint8_t* to);

template <typename Number, std::size_t... Width>
constexpr std::array<UnpackMiniblock<Number>, sizeof...(Width)> unpack_table(std::index_sequence<Width...>) {
  return {unpack_width<Width, Number>...};
}

template <typename Number, std::size_t... Width>
constexpr std::array<PackMiniblock<Number>, sizeof...(Width)> pack_table(std::index_sequence<Width...>) {
  return {pack_width<Width, Number>...};
}

template <typename Number>
using AllWidths = std::make_index_sequence<8 * sizeof(Number) + 1>;

// By width.
template <typename Number>
constexpr auto unpack_miniblock = unpack_table<Number>(AllWidths<Number>());
template <typename Number>
constexpr auto pack_miniblock = pack_table<Number>(AllWidths<Number>());

}  // namespace
}  // namespace gsst::tile_integer::cpu
