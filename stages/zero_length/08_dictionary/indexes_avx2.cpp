#include <immintrin.h>

#include "stages/zero_length/08_dictionary/indexes.hpp"

// 8 indexes at a time, which take as many bytes as one has bits: where each starts is the same in all steps.
namespace gsst::zero_length::dictionary {
namespace {

constexpr int indexes_of_step = 8;
// Bytes that a step may read from its first one on: two loads of 16, the second from the fifth index on.
constexpr std::size_t step_reads = 32;

// How to take the indexes apart: each gets the four bytes from its first one on, of the load of its half.
struct Pattern {
  explicit Pattern(std::uint32_t bits) : second_half(4 * bits / 8) {
    alignas(32) std::uint8_t bytes[32];
    alignas(32) std::uint32_t shifts[indexes_of_step];
    for (std::uint32_t index = 0; index < indexes_of_step; ++index) {
      const std::uint32_t first_bit = index * bits - (index < 4 ? 0 : 8 * second_half);
      shifts[index] = first_bit % 8;
      for (std::uint32_t byte = 0; byte < 4; ++byte) {
        bytes[4 * index + byte] = static_cast<std::uint8_t>(first_bit / 8 + byte);
      }
    }
    shuffle = _mm256_load_si256(reinterpret_cast<const __m256i*>(bytes));
    shift = _mm256_load_si256(reinterpret_cast<const __m256i*>(shifts));
    mask = _mm256_set1_epi32(static_cast<int>((std::uint32_t{1} << bits) - 1));
  }

  __m256i indexes_at(const std::uint8_t* from) const {
    const __m256i halves = _mm256_loadu2_m128i(reinterpret_cast<const __m128i*>(from + second_half),
                                               reinterpret_cast<const __m128i*>(from));
    return _mm256_and_si256(_mm256_srlv_epi32(_mm256_shuffle_epi8(halves, shuffle), shift), mask);
  }

  std::uint32_t second_half;
  __m256i shuffle;
  __m256i shift;
  __m256i mask;
};

}  // namespace

bool look_up_avx2(const PackedIndexes& packed, std::uint8_t* output) {
  if (packed.index_bits == 0) return look_up_words(packed, output);
  const Pattern pattern(packed.index_bits);
  const __m256i last = _mm256_set1_epi32(static_cast<int>(packed.value_count - 1));
  const auto* const values = reinterpret_cast<const int*>(packed.values);
  __m256i largest = _mm256_setzero_si256();
  std::size_t done = 0;
  const std::size_t bytes = packed_bytes(packed);
  for (std::size_t used = 0; used + step_reads <= bytes; used += packed.index_bits) {
    const __m256i indexes = pattern.indexes_at(packed.indexes + used);
    largest = _mm256_max_epu32(largest, indexes);
    const __m256i found = _mm256_i32gather_epi32(values, _mm256_min_epu32(indexes, last), 4);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(output + 4 * done), found);
    done += indexes_of_step;
  }
  const bool is_right = _mm256_movemask_epi8(_mm256_cmpeq_epi32(_mm256_max_epu32(largest, last), last)) == -1;
  return look_up_words(without_first(packed, done), output + 4 * done) && is_right;
}

}  // namespace gsst::zero_length::dictionary
