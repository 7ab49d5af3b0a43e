#include <immintrin.h>

#include <cstdint>
#include <cstring>

#include "cpu/tiles/strip_decoders.hpp"
#include "cpu/tiles/strip_loop.hpp"

// 64 codes at a time are unpacked, and a shuffle finds the masks of their classes: which bytes of a symbol
// count. An instruction of VBMI2 moves those of eight symbols together, and one store puts them.
namespace gsst::cpu::tiles {
namespace {

struct Avx512 {
  static constexpr bool keeps_first_half = false;

  template <CodeKind Kind>
  [[gnu::always_inline]] static void unpack(const CodeTable& table, const StoredCodes& codes,
                                            std::uint32_t count, UnpackedCodes& unpacked) {
    const __m512i class_masks = load_class_table(table.class_masks);
    for (std::uint32_t i = 0; i < count; i += group_codes) {
      const __m512i bytes = _mm512_loadu_si512(codes.bytes + i);
      __m512i classes = _mm512_and_si512(_mm512_srli_epi16(bytes, 4), _mm512_set1_epi8(15));
      if constexpr (Kind == CodeKind::bits_8_with_halves) {
        unpack_with_halves(codes, i, bytes, classes, unpacked);
      } else if constexpr (Kind == CodeKind::bits_10) {
        unpack_10_bits(codes.rest + i / 4, bytes, unpacked.indices + i);
      } else if constexpr (Kind == CodeKind::bits_12) {
        classes = nibbles(codes.rest + i / 2);
        unpack_12_bits(table, bytes, classes, unpacked.indices + i);
      }
      _mm512_store_si512(unpacked.lengths + i, _mm512_shuffle_epi8(class_masks, classes));
    }
  }

  template <CodeKind Kind>
  [[gnu::always_inline]] static StripCursor put_group(const CodeTable& table, const UnpackedCodes& unpacked,
                                                      std::uint32_t first, StripCursor at) {
    const std::uint8_t* const codes = unpacked.bytes + first;
    const std::uint16_t* const indices = unpacked.indices + first;
    const std::uint8_t* const masks = unpacked.lengths + first;
    for (std::uint32_t i = 0; i < group_codes; i += 8) {
      std::uint64_t mask = 0;
      std::memcpy(&mask, masks + i, sizeof mask);
      const __m512i symbols =
          _mm512_inserti64x4(_mm512_castsi256_si512(four_symbols<Kind>(table, codes + i, indices + i)),
                             four_symbols<Kind>(table, codes + i + 4, indices + i + 4), 1);
      _mm512_storeu_si512(at.output, _mm512_maskz_compress_epi8(mask, symbols));
      at.output += _mm_popcnt_u64(mask);
    }
    return {.output = at.output, .first_half = 0};
  }

private:
  template <CodeKind Kind>
  [[gnu::always_inline]] static __m256i four_symbols(const CodeTable& table, const std::uint8_t* codes,
                                                     const std::uint16_t* indices) {
    if constexpr (Kind == CodeKind::bits_8) {
      const std::uint32_t four = load_word(codes);
      return four_symbols<Kind>(table, four & 0xff, four >> 8 & 0xff, four >> 16 & 0xff, four >> 24);
    }
    const std::uint32_t two = load_word(indices);
    const std::uint32_t more = load_word(indices + 2);
    return four_symbols<Kind>(table, two & 0xffff, two >> 16, more & 0xffff, more >> 16);
  }

  // Each load leaves the other symbols of the vector as they are. A gather of eight takes longer on AMD's Zen
  // 4, and on processors whose gathers are mitigated.
  template <CodeKind Kind>
  [[gnu::always_inline]] static __m256i four_symbols(const CodeTable& table, std::uint32_t a, std::uint32_t b,
                                                     std::uint32_t c, std::uint32_t d) {
    __m256i symbols = _mm256_castsi128_si256(load_symbol<Kind>(table, a));
    symbols = _mm256_mask_broadcastq_epi64(symbols, 1 << 1, load_symbol<Kind>(table, b));
    symbols = _mm256_mask_broadcastq_epi64(symbols, 1 << 2, load_symbol<Kind>(table, c));
    return _mm256_mask_broadcastq_epi64(symbols, 1 << 3, load_symbol<Kind>(table, d));
  }

  template <CodeKind Kind>
  [[gnu::always_inline]] static __m128i load_symbol(const CodeTable& table, std::uint32_t index) {
    const void* const symbol = Kind == CodeKind::bits_12
                                   ? static_cast<const void*>(table.packed_symbols + index)
                                   : table.symbols + index;
    return _mm_loadl_epi64(static_cast<const __m128i*>(symbol));
  }

  static __m512i load_class_table(const std::uint8_t* of_class) {
    return _mm512_broadcast_i32x4(_mm_load_si128(reinterpret_cast<const __m128i*>(of_class)));
  }

  static __m512i low_words(__m512i bytes) { return _mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes)); }
  static __m512i high_words(__m512i bytes) {
    return _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(bytes, 1));
  }
  static void store_words(std::uint16_t* indices, __m512i low, __m512i high) {
    _mm512_store_si512(indices, low);
    _mm512_store_si512(indices + 32, high);
  }

  // The 64 nibbles of 32 bytes, the low one of each byte first.
  static __m512i nibbles(const std::uint8_t* pairs) {
    const __m512i wide = _mm512_cvtepu8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(pairs)));
    return _mm512_and_si512(_mm512_or_si512(wide, _mm512_slli_epi16(wide, 4)), _mm512_set1_epi8(15));
  }

  // The place of a packed symbol: after those of the classes before, and of the codes before in its class.
  static void unpack_12_bits(const CodeTable& table, __m512i bytes, __m512i classes, std::uint16_t* indices) {
    const __m512i lengths = _mm512_shuffle_epi8(load_class_table(table.class_lengths), classes);
    const __m512i starts = _mm512_shuffle_epi8(load_class_table(table.class_starts), classes);
    store_words(indices, places(low_words(starts), low_words(lengths), low_words(bytes)),
                places(high_words(starts), high_words(lengths), high_words(bytes)));
  }
  static __m512i places(__m512i starts, __m512i lengths, __m512i in_class) {
    return _mm512_add_epi16(_mm512_slli_epi16(starts, 8), _mm512_mullo_epi16(lengths, in_class));
  }

  static void unpack_10_bits(const std::uint8_t* rest, __m512i bytes, std::uint16_t* indices) {
    const __m512i words = _mm512_castsi128_si512(_mm_loadu_si128(reinterpret_cast<const __m128i*>(rest)));
    // Word 0 for the first eight codes, word 1 for the second, and so on.
    const __m512i words_0_to_3 = _mm512_set_epi16(3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1,
                                                  1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m512i words_4_to_7 = _mm512_add_epi16(words_0_to_3, _mm512_set1_epi16(4));
    store_words(indices, codes_of_10_bits(low_words(bytes), _mm512_permutexvar_epi16(words_0_to_3, words)),
                codes_of_10_bits(high_words(bytes), _mm512_permutexvar_epi16(words_4_to_7, words)));
  }

  // `rest` has a word of the tile for each eight codes, where the lowest two bits of code j are at bit
  // 8 (j % 2) + 2 (j / 2).
  static __m512i codes_of_10_bits(__m512i high, __m512i rest) {
    const __m512i places = _mm512_broadcast_i32x4(_mm_setr_epi16(0, 8, 2, 10, 4, 12, 6, 14));
    const __m512i low = _mm512_and_si512(_mm512_srlv_epi16(rest, places), _mm512_set1_epi16(3));
    return _mm512_or_si512(_mm512_slli_epi16(high, 2), low);
  }

  // A code after a first half stands for the literal byte of both.
  static void unpack_with_halves(const StoredCodes& codes, std::uint32_t first, __m512i bytes,
                                 __m512i classes, UnpackedCodes& unpacked) {
    const __m512i before = _mm512_loadu_si512(codes.bytes + first - 1);
    __mmask64 is_second = _mm512_testn_epi8_mask(before, _mm512_set1_epi8(-16));
    if (codes.is_first && first == 0) is_second &= ~__mmask64{1};
    const bool is_odd = (is_second & ~_mm512_cmpeq_epi8_mask(classes, _mm512_set1_epi8(1))) != 0;
    unpacked.odd_groups |= std::uint32_t{is_odd} << (first / group_codes);
    const __m512i lower = _mm512_set1_epi8(15);
    const __m512i literal = _mm512_or_si512(_mm512_andnot_si512(lower, _mm512_slli_epi16(before, 4)),
                                            _mm512_and_si512(lower, bytes));
    const __m512i joined = _mm512_mask_mov_epi8(bytes, is_second, literal);
    const __m512i offset = _mm512_set1_epi16(literal_bytes);
    const __m512i low = low_words(joined);
    const __m512i high = high_words(joined);
    store_words(unpacked.indices + first,
                _mm512_mask_add_epi16(low, static_cast<__mmask32>(is_second), low, offset),
                _mm512_mask_add_epi16(high, static_cast<__mmask32>(is_second >> 32), high, offset));
  }
};

}  // namespace

StripProblem decode_strip_avx512(const CodeTable& table, const StripCodes& strip, const StripOutput& output) {
  return decode_strip_with<Avx512>(table, strip, output);
}

}  // namespace gsst::cpu::tiles
