#include <immintrin.h>

#include <cstdint>

#include "cpu/tiles/strip_decoders.hpp"
#include "cpu/tiles/strip_loop.hpp"

// 64 codes at a time are unpacked, and a shuffle finds the masks of their classes. Then eight symbols are
// gathered, and an instruction of VBMI2 moves the bytes that count together.
namespace gsst::cpu::tiles {
namespace {

struct Avx512 {
  template <CodeKind kind>
  [[gnu::always_inline]] static std::uint8_t* decode_group(const CodeTable& table, const GroupCodes& codes,
                                                           std::uint8_t* output) {
    Unpacked unpacked;
    if (!unpack<kind>(codes, unpacked)) return nullptr;
    const __m512i class_masks =
        _mm512_broadcast_i32x4(_mm_load_si128(reinterpret_cast<const __m128i*>(table.class_masks)));
    alignas(64) std::uint64_t masks[group_codes / 8];
    alignas(64) std::uint16_t indices[group_codes];
    _mm512_store_si512(masks, _mm512_shuffle_epi8(class_masks, unpacked.classes));
    _mm512_store_si512(indices, unpacked.low_indices);
    _mm512_store_si512(indices + 32, unpacked.high_indices);
#pragma GCC unroll 8
    for (std::uint32_t i = 0; i < group_codes / 8; ++i) {
      const __m256i eight =
          _mm256_cvtepu16_epi32(_mm_load_si128(reinterpret_cast<const __m128i*>(indices + 8 * i)));
      const __m512i symbols = _mm512_i32gather_epi64(eight, table.symbols, sizeof(std::uint64_t));
      _mm512_storeu_si512(output, _mm512_maskz_compress_epi8(masks[i], symbols));
      output += _mm_popcnt_u64(masks[i]);
    }
    return output;
  }

private:
  struct Unpacked {
    // Entries of the table's symbols, 16 bits each: of codes 0 to 31, and of the others.
    __m512i low_indices;
    __m512i high_indices;
    // A byte each.
    __m512i classes;
  };

  template <CodeKind kind>
  [[gnu::always_inline]] static bool unpack(const GroupCodes& codes, Unpacked& unpacked) {
    const __m512i bytes = _mm512_loadu_si512(codes.bytes);
    if constexpr (kind == CodeKind::bits_12) {
      unpacked.classes = nibbles(codes.rest);
      unpacked.low_indices =
          _mm512_or_si512(low_words(bytes), _mm512_slli_epi16(low_words(unpacked.classes), 8));
      unpacked.high_indices =
          _mm512_or_si512(high_words(bytes), _mm512_slli_epi16(high_words(unpacked.classes), 8));
      return true;
    }
    unpacked.classes = _mm512_and_si512(_mm512_srli_epi16(bytes, 4), _mm512_set1_epi8(15));
    if constexpr (kind == CodeKind::bits_10) unpack_10_bits(codes.rest, bytes, unpacked);
    if constexpr (kind == CodeKind::bits_8) {
      unpacked.low_indices = low_words(bytes);
      unpacked.high_indices = high_words(bytes);
    }
    if constexpr (kind == CodeKind::bits_8_with_halves) return unpack_with_halves(codes, bytes, unpacked);
    return true;
  }

  static __m512i low_words(__m512i bytes) {
    return _mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes));
  }
  static __m512i high_words(__m512i bytes) {
    return _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(bytes, 1));
  }

  // The 64 nibbles of 32 bytes, the low one of each byte first.
  static __m512i nibbles(const std::uint8_t* pairs) {
    const __m512i wide = _mm512_cvtepu8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(pairs)));
    return _mm512_and_si512(_mm512_or_si512(wide, _mm512_slli_epi16(wide, 4)), _mm512_set1_epi8(15));
  }

  [[gnu::always_inline]] static void unpack_10_bits(const std::uint8_t* rest, __m512i bytes,
                                                    Unpacked& unpacked) {
    const __m512i words = _mm512_castsi128_si512(_mm_loadu_si128(reinterpret_cast<const __m128i*>(rest)));
    // Word 0 for the first eight codes, word 1 for the second, and so on.
    const __m512i words_0_to_3 = _mm512_set_epi16(3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1,
                                                  1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m512i words_4_to_7 = _mm512_add_epi16(words_0_to_3, _mm512_set1_epi16(4));
    unpacked.low_indices = codes_of_10_bits(low_words(bytes), _mm512_permutexvar_epi16(words_0_to_3, words));
    unpacked.high_indices =
        codes_of_10_bits(high_words(bytes), _mm512_permutexvar_epi16(words_4_to_7, words));
  }

  // `rest` has a word of the tile for each eight codes, where the lowest two bits of code j are at bit
  // 8 (j % 2) + 2 (j / 2).
  static __m512i codes_of_10_bits(__m512i high, __m512i rest) {
    const __m512i places = _mm512_broadcast_i32x4(_mm_setr_epi16(0, 8, 2, 10, 4, 12, 6, 14));
    const __m512i low = _mm512_and_si512(_mm512_srlv_epi16(rest, places), _mm512_set1_epi16(3));
    return _mm512_or_si512(_mm512_slli_epi16(high, 2), low);
  }

  // A code after a first half stands for the literal byte of both. Returns false where it is no second half.
  [[gnu::always_inline]] static bool unpack_with_halves(const GroupCodes& codes, __m512i bytes,
                                                        Unpacked& unpacked) {
    const __m512i before = _mm512_loadu_si512(codes.bytes - 1);
    __mmask64 is_second = _mm512_testn_epi8_mask(before, _mm512_set1_epi8(-16));
    if (codes.is_first) is_second &= ~__mmask64{1};
    if ((is_second & ~_mm512_cmpeq_epi8_mask(unpacked.classes, _mm512_set1_epi8(1))) != 0) return false;
    const __m512i lower = _mm512_set1_epi8(15);
    const __m512i literal = _mm512_or_si512(_mm512_andnot_si512(lower, _mm512_slli_epi16(before, 4)),
                                            _mm512_and_si512(lower, bytes));
    const __m512i joined = _mm512_mask_mov_epi8(bytes, is_second, literal);
    const __m512i offset = _mm512_set1_epi16(literal_bytes);
    const __m512i low = low_words(joined);
    const __m512i high = high_words(joined);
    unpacked.low_indices = _mm512_mask_add_epi16(low, static_cast<__mmask32>(is_second), low, offset);
    unpacked.high_indices =
        _mm512_mask_add_epi16(high, static_cast<__mmask32>(is_second >> 32), high, offset);
    return true;
  }
};

}  // namespace

StripProblem decode_strip_avx512(const CodeTable& table, const StripCodes& strip, const StripOutput& output) {
  return decode_strip_with<Avx512>(table, strip, output);
}

}  // namespace gsst::cpu::tiles
