#pragma once

#include <immintrin.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "stages/tile_integer/shared/cpu_payload.hpp"

/// Numbers of any width, unpacked by AVX-512 F and VBMI2: 64 bytes of numbers at a time. Where the bits of a
/// number are is the same in all steps of a width, and a table says it: no code for each width, and no
/// branch. For files that are compiled for such processors.
namespace gsst::tile_integer::cpu {
namespace {

constexpr std::size_t vector_bytes = 64;
template <typename Number>
constexpr std::size_t numbers_of_vector = vector_bytes / sizeof(Number);

// For each number of a step the word, as large as the number, with its lowest bit, and the bit there.
template <typename Number>
struct alignas(vector_bytes) BitPlaces {
  std::array<Number, numbers_of_vector<Number>> words;
  std::array<Number, numbers_of_vector<Number>> shifts;
};

template <typename Number>
constexpr auto make_bit_places() {
  constexpr std::size_t bits = 8 * sizeof(Number);
  std::array<BitPlaces<Number>, bits + 1> by_width{};
  for (std::size_t width = 0; width <= bits; ++width) {
    for (std::size_t number = 0; number < numbers_of_vector<Number>; ++number) {
      by_width[width].words[number] = static_cast<Number>(number * width / bits);
      by_width[width].shifts[number] = static_cast<Number>(number * width % bits);
    }
  }
  return by_width;
}

template <typename Number>
constexpr auto bit_places = make_bit_places<Number>();

// How the instructions are named for numbers of 4 bytes and of 8.
template <typename Number>
struct Vector;

template <>
struct Vector<std::uint32_t> {
  static __m512i all(std::uint32_t number) { return _mm512_set1_epi32(static_cast<int>(number)); }
  static __m512i sum(__m512i a, __m512i b) { return _mm512_add_epi32(a, b); }
  static __m512i chosen(__m512i numbers, __m512i from) { return _mm512_permutexvar_epi32(from, numbers); }
  static __m512i shifted(__m512i low, __m512i high, __m512i by) { return _mm512_shrdv_epi32(low, high, by); }
  static __m512i last_of(__m512i numbers) { return chosen(numbers, all(15)); }

  // Each number with all before it in the vector added.
  static __m512i running_sums(__m512i numbers) {
    const __m512i zero = _mm512_setzero_si512();
    numbers = sum(numbers, _mm512_alignr_epi32(numbers, zero, 15));
    numbers = sum(numbers, _mm512_alignr_epi32(numbers, zero, 14));
    numbers = sum(numbers, _mm512_alignr_epi32(numbers, zero, 12));
    return sum(numbers, _mm512_alignr_epi32(numbers, zero, 8));
  }
};

template <>
struct Vector<std::uint64_t> {
  static __m512i all(std::uint64_t number) { return _mm512_set1_epi64(static_cast<long long>(number)); }
  static __m512i sum(__m512i a, __m512i b) { return _mm512_add_epi64(a, b); }
  static __m512i chosen(__m512i numbers, __m512i from) { return _mm512_permutexvar_epi64(from, numbers); }
  static __m512i shifted(__m512i low, __m512i high, __m512i by) { return _mm512_shrdv_epi64(low, high, by); }
  static __m512i last_of(__m512i numbers) { return chosen(numbers, all(7)); }

  static __m512i running_sums(__m512i numbers) {
    const __m512i zero = _mm512_setzero_si512();
    numbers = sum(numbers, _mm512_alignr_epi64(numbers, zero, 7));
    numbers = sum(numbers, _mm512_alignr_epi64(numbers, zero, 6));
    return sum(numbers, _mm512_alignr_epi64(numbers, zero, 4));
  }
};

// Stores the lowest bytes of each number.
template <std::size_t Bytes, typename Number>
[[gnu::always_inline]] inline void store_numbers(std::uint8_t* to, __m512i numbers) {
  if constexpr (Bytes == sizeof(Number)) {
    _mm512_storeu_si512(to, numbers);
  } else if constexpr (Bytes == 2) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtepi32_epi16(numbers));
  } else {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_cvtepi32_epi8(numbers));
  }
}

// Unpacks a miniblock and calls use(step, numbers) for each vector of it. Up to 64 bytes after the miniblock
// are read.
template <typename Number, typename Use>
[[gnu::always_inline]] inline void for_each_vector(const std::uint8_t* miniblock, std::uint32_t width,
                                                   const Use& use) {
  using V = Vector<Number>;
  constexpr std::size_t steps = values_of_miniblock / numbers_of_vector<Number>;
  const BitPlaces<Number>& places = bit_places<Number>[width];
  const __m512i word = _mm512_load_si512(places.words.data());
  const __m512i next_word = V::sum(word, V::all(1));
  const __m512i shift = _mm512_load_si512(places.shifts.data());
  // A shift by all bits of a number is no shift in C++.
  const Number mask = width == 0 ? 0 : static_cast<Number>(~Number{0} >> (8 * sizeof(Number) - width));
  const std::size_t bytes_of_step = numbers_of_vector<Number> * width / 8;
  for (std::size_t step = 0; step < steps; ++step) {
    const __m512i words = _mm512_loadu_si512(miniblock + step * bytes_of_step);
    // Of a number that ends with its word the next one, whatever it is, is shifted out.
    const __m512i bits = V::shifted(V::chosen(words, word), V::chosen(words, next_word), shift);
    use(step, _mm512_and_si512(bits, V::all(mask)));
  }
}

}  // namespace
}  // namespace gsst::tile_integer::cpu
