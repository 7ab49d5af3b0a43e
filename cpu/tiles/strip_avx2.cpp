#include <immintrin.h>

#include <cstdint>
#include <cstring>

#include "cpu/tiles/strip_decoders.hpp"
#include "cpu/tiles/strip_loop.hpp"

// 32 codes at a time are unpacked, and a shuffle finds the lengths of their classes. Sums of the lengths say
// where each of eight symbols goes: their stores do not wait for each other.
namespace gsst::cpu::tiles {
namespace {

// How far ahead of the output its memory is asked for.
constexpr std::ptrdiff_t prefetched_bytes = 512;

struct Avx2 {
  static constexpr bool keeps_first_half = false;

  template <CodeKind Kind>
  [[gnu::always_inline]] static void unpack(const CodeTable& table, const StoredCodes& codes,
                                            std::uint32_t count, UnpackedCodes& unpacked) {
    const __m256i class_lengths = load_class_table(table.class_lengths);
    for (std::uint32_t i = 0; i < count; i += 32) {
      const __m256i bytes = load32(codes.bytes + i);
      __m256i classes = high_nibbles(bytes);
      if constexpr (Kind == CodeKind::bits_8_with_halves) {
        unpack_with_halves(codes, i, bytes, classes, unpacked);
      } else if constexpr (Kind == CodeKind::bits_10) {
        unpack_10_bits(codes.rest + i / 4, bytes, unpacked.indices + i);
      } else if constexpr (Kind == CodeKind::bits_12) {
        classes = nibbles(codes.rest + i / 2);
        unpack_12_bits(table, bytes, classes, unpacked.indices + i);
      }
      store32(unpacked.lengths + i, sums_of_eight(_mm256_shuffle_epi8(class_lengths, classes)));
    }
  }

  template <CodeKind Kind>
  [[gnu::always_inline]] static StripCursor put_group(const CodeTable& table, const UnpackedCodes& unpacked,
                                                      std::uint32_t first, StripCursor at) {
    const std::uint8_t* const codes = unpacked.bytes + first;
    const std::uint16_t* const indices = unpacked.indices + first;
    const std::uint8_t* const ends = unpacked.lengths + first;
    for (std::uint32_t i = 0; i < group_codes; i += 8) {
      __builtin_prefetch(at.output + prefetched_bytes, 1);
      std::size_t end = 0;
#pragma GCC unroll 2
      for (std::uint32_t j = i; j < i + 8; j += 4) {
        end =
            put_four<Kind>(table, four_of<Kind>(codes + j, indices + j), load_word(ends + j), at.output, end);
      }
      at.output += end;
    }
    return {.output = at.output, .first_half = 0};
  }

private:
  struct FourIndices {
    std::uint32_t a, b, c, d;
  };

  template <CodeKind Kind>
  [[gnu::always_inline]] static FourIndices four_of(const std::uint8_t* codes, const std::uint16_t* indices) {
    if constexpr (Kind == CodeKind::bits_8) {
      const std::uint32_t four = load_word(codes);
      return {.a = four & 0xff, .b = four >> 8 & 0xff, .c = four >> 16 & 0xff, .d = four >> 24};
    }
    const std::uint32_t two = load_word(indices);
    const std::uint32_t more = load_word(indices + 2);
    return {.a = two & 0xffff, .b = two >> 16, .c = more & 0xffff, .d = more >> 16};
  }

  // Four of eight symbols, the first `begin` bytes from `output`. `ends` has where each of them ends; returns
  // where the last does.
  template <CodeKind Kind>
  [[gnu::always_inline]] static std::size_t put_four(const CodeTable& table, const FourIndices& four,
                                                     std::uint32_t ends, std::uint8_t* output,
                                                     std::size_t begin) {
    put<Kind>(table, four.a, output + begin);
    put<Kind>(table, four.b, output + (ends & 0xff));
    put<Kind>(table, four.c, output + (ends >> 8 & 0xff));
    put<Kind>(table, four.d, output + (ends >> 16 & 0xff));
    return ends >> 24;
  }

  template <CodeKind Kind>
  [[gnu::always_inline]] static void put(const CodeTable& table, std::uint32_t index, std::uint8_t* output) {
    const void* const symbol = Kind == CodeKind::bits_12
                                   ? static_cast<const void*>(table.packed_symbols + index)
                                   : table.symbols + index;
    std::memcpy(output, symbol, sizeof(std::uint64_t));
  }

  static __m256i load32(const std::uint8_t* bytes) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
  }
  static __m128i load16(const std::uint8_t* bytes) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
  }
  static void store32(void* to, __m256i value) {
    _mm256_store_si256(reinterpret_cast<__m256i*>(to), value);
  }

  static __m256i load_class_table(const std::uint8_t* of_class) {
    return _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(of_class)));
  }

  static __m256i high_nibbles(__m256i bytes) {
    return _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(15));
  }

  // The 32 nibbles of 16 bytes, the low one of each byte first.
  static __m256i nibbles(const std::uint8_t* pairs) {
    const __m256i wide = _mm256_cvtepu8_epi16(load16(pairs));
    return _mm256_and_si256(_mm256_or_si256(wide, _mm256_slli_epi16(wide, 4)), _mm256_set1_epi8(15));
  }

  // 32 numbers of 16 bits from their low and high bytes.
  static void store_pairs(__m256i low, __m256i high, std::uint16_t* indices) {
    const __m256i first = _mm256_unpacklo_epi8(low, high);
    const __m256i second = _mm256_unpackhi_epi8(low, high);
    store_in_order(first, second, indices);
  }
  // From what unpacking gives: numbers 0 to 7 and 16 to 23, and the others.
  static void store_in_order(__m256i first, __m256i second, std::uint16_t* indices) {
    store32(indices, _mm256_permute2x128_si256(first, second, 0x20));
    store32(indices + 16, _mm256_permute2x128_si256(first, second, 0x31));
  }

  // A code after a first half stands for the literal byte of both.
  static void unpack_with_halves(const StoredCodes& codes, std::uint32_t first, __m256i bytes,
                                 __m256i classes, UnpackedCodes& unpacked) {
    __m256i before = load32(codes.bytes + first - 1);
    if (codes.is_first && first == 0) before = _mm256_insert_epi8(before, -1, 0);
    const __m256i is_second = _mm256_cmpeq_epi8(high_nibbles(before), _mm256_setzero_si256());
    const __m256i has_second_class = _mm256_cmpeq_epi8(classes, _mm256_set1_epi8(1));
    const bool is_odd = _mm256_testc_si256(has_second_class, is_second) == 0;
    unpacked.odd_groups |= std::uint32_t{is_odd} << (first / group_codes);
    const __m256i upper = _mm256_andnot_si256(_mm256_set1_epi8(15), _mm256_slli_epi16(before, 4));
    const __m256i literal = _mm256_or_si256(upper, _mm256_and_si256(bytes, _mm256_set1_epi8(15)));
    store_pairs(_mm256_blendv_epi8(bytes, literal, is_second),
                _mm256_and_si256(is_second, _mm256_set1_epi8(literal_bytes >> 8)), unpacked.indices + first);
  }

  // The place of a packed symbol: after those of the classes before, and of the codes before in its class.
  static void unpack_12_bits(const CodeTable& table, __m256i bytes, __m256i classes, std::uint16_t* indices) {
    const __m256i lengths = _mm256_shuffle_epi8(load_class_table(table.class_lengths), classes);
    const __m256i starts = _mm256_shuffle_epi8(load_class_table(table.class_starts), classes);
    const __m256i zero = _mm256_setzero_si256();
    const __m256i first = _mm256_add_epi16(
        _mm256_unpacklo_epi8(zero, starts),
        _mm256_mullo_epi16(_mm256_unpacklo_epi8(lengths, zero), _mm256_unpacklo_epi8(bytes, zero)));
    const __m256i second = _mm256_add_epi16(
        _mm256_unpackhi_epi8(zero, starts),
        _mm256_mullo_epi16(_mm256_unpackhi_epi8(lengths, zero), _mm256_unpackhi_epi8(bytes, zero)));
    store_in_order(first, second, indices);
  }

  // Sixteen codes from `high`, their upper eight bits, and four bytes in each half of `rest`'s lanes.
  static __m256i codes_of_10_bits(__m128i high, __m256i rest) {
    // Moves the two bits of each of eight codes to the top: they are at bit 8 (j % 2) + 2 (j / 2).
    const __m256i to_top = _mm256_setr_epi16(1 << 14, 1 << 6, 1 << 12, 1 << 4, 1 << 10, 1 << 2, 1 << 8, 1,  //
                                             1 << 14, 1 << 6, 1 << 12, 1 << 4, 1 << 10, 1 << 2, 1 << 8, 1);
    const __m256i low = _mm256_srli_epi16(_mm256_mullo_epi16(rest, to_top), 14);
    return _mm256_or_si256(_mm256_slli_epi16(_mm256_cvtepu8_epi16(high), 2), low);
  }

  static void unpack_10_bits(const std::uint8_t* rest, __m256i bytes, std::uint16_t* indices) {
    const __m256i words = _mm256_broadcastq_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(rest)));
    // Word 0 for the first eight codes, word 1 for the second, and so on.
    const __m256i words_0_1 = _mm256_setr_epi8(0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1,  //
                                               2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3);
    const __m256i words_2_3 = _mm256_add_epi8(words_0_1, _mm256_set1_epi8(4));
    store32(indices, codes_of_10_bits(_mm256_castsi256_si128(bytes), _mm256_shuffle_epi8(words, words_0_1)));
    store32(indices + 16,
            codes_of_10_bits(_mm256_extracti128_si256(bytes, 1), _mm256_shuffle_epi8(words, words_2_3)));
  }

  // Of each eight lengths, at most 8 each, the sums up to each of them.
  static __m256i sums_of_eight(__m256i lengths) {
    lengths = _mm256_add_epi8(lengths, _mm256_slli_epi64(lengths, 8));
    lengths = _mm256_add_epi8(lengths, _mm256_slli_epi64(lengths, 16));
    return _mm256_add_epi8(lengths, _mm256_slli_epi64(lengths, 32));
  }
};

}  // namespace

StripProblem decode_strip_avx2(const CodeTable& table, const StripCodes& strip, const StripOutput& output) {
  return decode_strip_with<Avx2>(table, strip, output);
}

}  // namespace gsst::cpu::tiles
