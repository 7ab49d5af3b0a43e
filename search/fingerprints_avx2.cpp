#include <immintrin.h>

#include "search/fingerprints.hpp"

namespace gsst::search {
namespace {

constexpr std::ptrdiff_t step = 32;

__m256i load(const std::uint8_t* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

// Of 16 bytes, in both halves of a vector, as a shuffle wants them.
__m256i table(const std::uint8_t* of_bits) {
  return _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(of_bits)));
}

// Buckets by the byte at one place of a fingerprint, for 32 places of the text.
class PlaceTable {
public:
  PlaceTable(const Fingerprints& fingerprints, std::size_t place)
      : of_low_bits_(table(fingerprints.of_low_bits[place])),
        of_high_bits_(table(fingerprints.of_high_bits[place])) {}

  __m256i buckets(const std::uint8_t* text) const {
    const __m256i bytes = load(text);
    const __m256i four_bits = _mm256_set1_epi8(15);
    const __m256i low = _mm256_and_si256(bytes, four_bits);
    const __m256i high = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), four_bits);
    return _mm256_and_si256(_mm256_shuffle_epi8(of_low_bits_, low), _mm256_shuffle_epi8(of_high_bits_, high));
  }

private:
  __m256i of_low_bits_;
  __m256i of_high_bits_;
};

}  // namespace

const std::uint8_t* find_fingerprint_avx2(const Fingerprints& fingerprints, const std::uint8_t* begin,
                                          const std::uint8_t* end) {
  static_assert(most_fingerprint_bytes == 3);
  const PlaceTable first(fingerprints, 0);
  const PlaceTable second(fingerprints, 1);
  const PlaceTable third(fingerprints, 2);
  for (; end - begin >= step + 2; begin += step) {
    const __m256i found = _mm256_and_si256(_mm256_and_si256(first.buckets(begin), second.buckets(begin + 1)),
                                           third.buckets(begin + 2));
    const __m256i nowhere = _mm256_cmpeq_epi8(found, _mm256_setzero_si256());
    auto places = ~static_cast<unsigned>(_mm256_movemask_epi8(nowhere));
    // Bytes whose halves are those of two bytes of words are none of these.
    for (; places != 0; places &= places - 1) {
      const std::uint8_t* const place = begin + __builtin_ctz(places);
      if (fingerprints.buckets_at(place) != 0) return place;
    }
  }
  return find_fingerprint_portable(fingerprints, begin, end);
}

}  // namespace gsst::search
