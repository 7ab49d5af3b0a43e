#include <immintrin.h>

#include "cpu/tiles/tile_packers.hpp"

// The class of a code says how long its symbol is: a shuffle looks up 32 lengths, which are then added.
namespace gsst::cpu::tiles {
namespace {

__m256i load(const std::uint8_t* codes) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes));
}

void store(std::uint8_t* place, __m256i bytes) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(place), bytes);
}

// The low bytes of 32 words whose high bytes are 0.
__m256i bytes_of(__m256i first, __m256i second) {
  return _mm256_permute4x64_epi64(_mm256_packus_epi16(first, second), 0b11011000);
}

// The lengths of codes, added up.
class LengthSum {
public:
  explicit LengthSum(const std::uint8_t* class_lengths)
      : lengths_(
            _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(class_lengths)))) {}

  void add(__m256i classes) {
    const __m256i lengths = _mm256_shuffle_epi8(lengths_, classes);
    sum_ = _mm256_add_epi64(sum_, _mm256_sad_epu8(lengths, _mm256_setzero_si256()));
  }

  // Of bytes of codes, whose highest four bits are the classes.
  void add_codes(__m256i bytes) { add(_mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(15))); }

  std::size_t sum() const {
    const __m128i two = _mm_add_epi64(_mm256_castsi256_si128(sum_), _mm256_extracti128_si256(sum_, 1));
    return static_cast<std::size_t>(_mm_cvtsi128_si64(two) + _mm_extract_epi64(two, 1));
  }

private:
  __m256i lengths_;
  __m256i sum_ = _mm256_setzero_si256();
};

void pack_8_bits(const CodesToPack& codes, LengthSum& sum, std::uint8_t* tiles) {
  const std::size_t count = codes.tiles * codes.tile_codes;
  for (std::size_t i = 0; i < count; i += 32) {
    const __m256i bytes = load(codes.codes + i);
    store(tiles + i, bytes);
    sum.add_codes(bytes);
  }
}

// The lowest two bits of each code of eight at bit 8 (j % 2) + 2 (j / 2), those of two codes added.
__m256i low_bits(__m256i words) {
  const __m256i places = _mm256_broadcastsi128_si256(
      _mm_setr_epi16(1, 1 << 8, 1 << 2, 1 << 10, 1 << 4, 1 << 12, 1 << 6, 1 << 14));
  return _mm256_madd_epi16(_mm256_and_si256(words, _mm256_set1_epi16(3)), places);
}

void pack_10_bits(const std::uint8_t* from, std::uint32_t tile_codes, LengthSum& sum, std::uint8_t* tile) {
  std::uint8_t* const rest = tile + tile_codes;
  for (std::size_t i = 0; i < tile_codes; i += 64) {
    const std::uint8_t* const group = from + 2 * i;
    const __m256i words[4] = {load(group), load(group + 32), load(group + 64), load(group + 96)};
    for (std::size_t half = 0; half < 2; ++half) {
      const __m256i high =
          bytes_of(_mm256_srli_epi16(words[2 * half], 2), _mm256_srli_epi16(words[2 * half + 1], 2));
      store(tile + i + 32 * half, high);
      sum.add_codes(high);
    }
    // Eights of codes: a half of the vector has every other one.
    const __m256i sums = _mm256_hadd_epi32(_mm256_hadd_epi32(low_bits(words[0]), low_bits(words[1])),
                                           _mm256_hadd_epi32(low_bits(words[2]), low_bits(words[3])));
    const __m128i even = _mm256_castsi256_si128(sums);
    const __m128i odd = _mm256_extracti128_si256(sums, 1);
    const __m128i eight = _mm_packus_epi32(_mm_unpacklo_epi32(even, odd), _mm_unpackhi_epi32(even, odd));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(rest + i / 4), eight);
  }
}

void pack_12_bits(const std::uint8_t* from, std::uint32_t tile_codes, LengthSum& sum, std::uint8_t* tile) {
  std::uint8_t* const rest = tile + tile_codes;
  const __m256i low_byte = _mm256_set1_epi16(0xff);
  for (std::size_t i = 0; i < tile_codes; i += 32) {
    const __m256i first = load(from + 2 * i);
    const __m256i second = load(from + 2 * i + 32);
    store(tile + i, bytes_of(_mm256_and_si256(first, low_byte), _mm256_and_si256(second, low_byte)));
    const __m256i classes = bytes_of(_mm256_srli_epi16(first, 8), _mm256_srli_epi16(second, 8));
    sum.add(classes);
    const __m256i pairs = _mm256_maddubs_epi16(classes, _mm256_set1_epi16(0x1001));
    const __m256i packed = bytes_of(pairs, pairs);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(rest + i / 2), _mm256_castsi256_si128(packed));
  }
}

}  // namespace

std::size_t pack_tiles_avx2(const CodesToPack& codes, std::uint8_t* tiles) {
  LengthSum sum(codes.class_lengths);
  if (codes.code_bits == 8) {
    pack_8_bits(codes, sum, tiles);
    return sum.sum();
  }
  const std::uint8_t* from = codes.codes;
  for (std::size_t tile = 0; tile < codes.tiles; ++tile) {
    if (codes.code_bits == 10) {
      pack_10_bits(from, codes.tile_codes, sum, tiles);
    } else {
      pack_12_bits(from, codes.tile_codes, sum, tiles);
    }
    from += std::size_t{codes.tile_codes} * 2;
    tiles += std::size_t{codes.tile_codes} / 8 * codes.code_bits;
  }
  return sum.sum();
}

}  // namespace gsst::cpu::tiles
