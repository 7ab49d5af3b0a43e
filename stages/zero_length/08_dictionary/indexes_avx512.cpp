#include <immintrin.h>

#include "stages/zero_length/08_dictionary/indexes.hpp"

// 16 indexes at a time. Each is in two neighbouring words of the 64 bytes from the step's first one on, which
// are fetched by a permutation each and shifted together.
namespace gsst::zero_length::dictionary {
namespace {

constexpr int indexes_of_long_step = 16;
constexpr std::size_t long_step_reads = 64;

struct WordPattern {
  explicit WordPattern(std::uint32_t bits) {
    alignas(64) std::uint32_t words[indexes_of_long_step];
    alignas(64) std::uint32_t shifts[indexes_of_long_step];
    for (std::uint32_t index = 0; index < indexes_of_long_step; ++index) {
      words[index] = index * bits / 32;
      shifts[index] = index * bits % 32;
    }
    word = _mm512_load_si512(words);
    next_word = _mm512_add_epi32(word, _mm512_set1_epi32(1));
    shift = _mm512_load_si512(shifts);
    mask = _mm512_set1_epi32(static_cast<int>((std::uint32_t{1} << bits) - 1));
  }

  __m512i indexes_at(const std::uint8_t* from) const {
    const __m512i bytes = _mm512_loadu_si512(from);
    const __m512i low = _mm512_permutexvar_epi32(word, bytes);
    const __m512i high = _mm512_permutexvar_epi32(next_word, bytes);
    return _mm512_and_si512(_mm512_shrdv_epi32(low, high, shift), mask);
  }

  __m512i word;
  __m512i next_word;
  __m512i shift;
  __m512i mask;
};

}  // namespace

bool look_up_avx512(const PackedIndexes& packed, std::uint8_t* output) {
  if (packed.index_bits == 0) return look_up_words(packed, output);
  const WordPattern pattern(packed.index_bits);
  const __m512i last = _mm512_set1_epi32(static_cast<int>(packed.value_count - 1));
  __m512i largest = _mm512_setzero_si512();
  std::size_t done = 0;
  const std::size_t bytes = packed_bytes(packed);
  for (std::size_t used = 0; used + long_step_reads <= bytes; used += 2 * std::size_t{packed.index_bits}) {
    const __m512i indexes = pattern.indexes_at(packed.indexes + used);
    largest = _mm512_max_epu32(largest, indexes);
    const __m512i found = _mm512_i32gather_epi32(_mm512_min_epu32(indexes, last), packed.values, 4);
    _mm512_storeu_si512(output + 4 * done, found);
    done += indexes_of_long_step;
  }
  const bool is_right = _mm512_cmpgt_epu32_mask(largest, last) == 0;
  return look_up_words(without_first(packed, done), output + 4 * done) && is_right;
}

}  // namespace gsst::zero_length::dictionary
