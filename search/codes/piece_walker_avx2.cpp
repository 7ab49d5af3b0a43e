#include <immintrin.h>

#include <cstdint>

#include "search/codes/piece_loop.hpp"
#include "search/codes/piece_walkers.hpp"

// The step is one instruction, SHRX, which takes its word from memory.
namespace gsst::search::codes {
namespace {

struct Avx2Walk {
  template <cpu::tiles::CodeKind Kind>
  [[gnu::always_inline]] static void unpack(const std::uint8_t* bytes, const std::uint8_t* rest,
                                            std::uint16_t* codes) {
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
    if constexpr (Kind == cpu::tiles::CodeKind::bits_12) {
      // 16 bytes of two nibbles each, widened: the low nibble goes to the low byte.
      const __m256i pairs = _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(rest)));
      const __m256i high =
          _mm256_and_si256(_mm256_or_si256(pairs, _mm256_slli_epi16(pairs, 4)), _mm256_set1_epi8(15));
      const __m256i first = _mm256_unpacklo_epi8(low, high);
      const __m256i second = _mm256_unpackhi_epi8(low, high);
      store32(codes, _mm256_permute2x128_si256(first, second, 0x20));
      store32(codes + 16, _mm256_permute2x128_si256(first, second, 0x31));
    } else {
      const __m256i words = _mm256_broadcastq_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(rest)));
      // Two bytes of rest belong to eight codes.
      const __m256i pairs_0_1 = _mm256_setr_epi8(0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1,  //
                                                 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3);
      const __m256i pairs_2_3 = _mm256_add_epi8(pairs_0_1, _mm256_set1_epi8(4));
      store32(codes, codes_of_10_bits(_mm256_castsi256_si128(low), _mm256_shuffle_epi8(words, pairs_0_1)));
      store32(codes + 16,
              codes_of_10_bits(_mm256_extracti128_si256(low, 1), _mm256_shuffle_epi8(words, pairs_2_3)));
    }
  }

private:
  static void store32(void* to, __m256i value) { _mm256_store_si256(reinterpret_cast<__m256i*>(to), value); }

  static __m256i codes_of_10_bits(__m128i high, __m256i rest) {
    // Multiplied, the two bits of code j of eight stand at the top: they come from bit 8 (j % 2) + 2 (j / 2).
    const __m256i to_top = _mm256_setr_epi16(1 << 14, 1 << 6, 1 << 12, 1 << 4, 1 << 10, 1 << 2, 1 << 8, 1,  //
                                             1 << 14, 1 << 6, 1 << 12, 1 << 4, 1 << 10, 1 << 2, 1 << 8, 1);
    const __m256i low = _mm256_srli_epi16(_mm256_mullo_epi16(rest, to_top), 14);
    return _mm256_or_si256(_mm256_slli_epi16(_mm256_cvtepu8_epi16(high), 2), low);
  }
};

}  // namespace

std::uint32_t walk_pieces_avx2(const ShiftTable& shifts, cpu::tiles::CodeKind kind,
                               std::span<StripWalk> walks, std::uint32_t piece, std::uint32_t end) {
  return walk_pieces_with<Avx2Walk>(shifts, kind, walks, piece, end);
}

}  // namespace gsst::search::codes
