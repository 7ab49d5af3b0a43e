#include <immintrin.h>

#include "stages/zero_length/03_simd/decode_loop.hpp"
#include "stages/zero_length/03_simd/elements.hpp"
#include "stages/zero_length/03_simd/encode_loop.hpp"

// 64 bytes at a time: AVX-512 with VBMI2, which moves the bytes of a mask together and apart in one
// instruction.
namespace gsst::zero_length::GSST_SIMD_BUILD {
namespace {

struct Avx512 {
  struct Bytes {
    __m512i value;
    std::uint64_t zeros;
  };

  static Bytes load(const std::uint8_t* input) {
    const __m512i value = _mm512_loadu_si512(input);
    return {value, _mm512_testn_epi8_mask(value, value)};
  }

  [[gnu::always_inline]] static void prefetch(const std::uint8_t* input, const std::uint8_t* output) {
    __builtin_prefetch(input + 2048);
    __builtin_prefetch(output + 1024, 1);
  }

  static std::uint8_t* write(const Bytes& bytes, const RunMasks& masks, unsigned before,
                             std::uint8_t* output) {
    __m512i value = _mm512_mask_mov_epi8(bytes.value, masks.counts, _mm512_set1_epi8(4));
    value = _mm512_mask_mov_epi8(value, masks.markers, _mm512_set1_epi8(-1));
    for (std::uint64_t others = masks.counts & ~masks.fours; others != 0; others &= others - 1) {
      const auto end = static_cast<unsigned>(__builtin_ctzll(others));
      value = _mm512_mask_mov_epi8(value, others & -others,
                                   _mm512_set1_epi8(static_cast<char>(run_length(bytes.zeros, end, before))));
    }
    const std::uint64_t kept = ~masks.dropped;
    const std::uint64_t markers = _mm512_cmpeq_epi8_mask(bytes.value, _mm512_set1_epi8(-1));
    if (markers == 0) return write_kept(value, kept, output);
    // Each byte in a pair with a zero, which only a literal marker keeps.
    output = write_pairs(_mm512_castsi512_si256(value), kept, markers, output);
    return write_pairs(_mm512_extracti64x4_epi64(value, 1), kept >> 32, markers >> 32, output);
  }

  static void copy_step(std::uint8_t* to, const std::uint8_t* from) {
    _mm512_storeu_si512(to, _mm512_loadu_si512(from));
  }
  static void zero_step(std::uint8_t* to) { _mm512_storeu_si512(to, _mm512_setzero_si512()); }

  // Window by window, of which each run of four makes two bytes more. A marker at a window's end has made its
  // zero before its length is known: if that is another, the marker is the first byte of step().
  [[gnu::always_inline]] static void usual_steps(DecodeCursor& cursor) {
    std::uint64_t split = 0;
    while (has_room(cursor)) {
      const __m512i value = _mm512_loadu_si512(cursor.input);
      prefetch(cursor.input, cursor.output);
      const std::uint64_t markers = _mm512_cmpeq_epi8_mask(value, _mm512_set1_epi8(-1)) & all_of(window);
      const std::uint64_t counts = (markers << 1 | split) & all_of(window);
      const std::uint64_t others = _mm512_mask_cmpneq_epi8_mask(counts, value, _mm512_set1_epi8(4));
      const auto runs = static_cast<unsigned>(__builtin_popcountll(counts));
      if (others != 0 || runs > most_runs) break;
      std::uint64_t places = ~std::uint64_t{0};
      std::uint64_t left = counts;
#pragma GCC unroll 4
      for (unsigned run = 0; run < most_runs; ++run, left &= left - 1) {
        places = make_gap(places, left, 2 * run, 2);
      }
      const __m512i literals = _mm512_maskz_mov_epi8(~(markers | counts), value);
      _mm512_storeu_si512(cursor.output, _mm512_maskz_expand_epi8(places, literals));
      cursor.input += window;
      cursor.output += window + 2 * runs;
      split = markers >> (window - 1);
    }
    cursor.input -= split;
    cursor.output -= split;
  }

  // Literal markers lose their second byte, and what is left is moved apart for up to most_runs runs.
  [[gnu::always_inline]] static bool step(DecodeCursor& cursor) {
    const __m512i value = _mm512_loadu_si512(cursor.input);
    std::uint64_t markers = _mm512_cmpeq_epi8_mask(value, _mm512_set1_epi8(-1)) & all_of(window);
    // A marker at the end is the next step's first byte.
    const auto bytes = static_cast<unsigned>(window - (markers >> (window - 1)));
    markers &= all_of(window - 1);
    const std::uint64_t counts = markers << 1;
    const std::uint64_t short_ones = _mm512_mask_cmplt_epu8_mask(counts, value, _mm512_set1_epi8(2));
    const std::uint64_t literals = _mm512_mask_testn_epi8_mask(counts, value, value);
    const std::uint64_t runs = counts & ~short_ones;
    const std::uint64_t kept = all_of(bytes) & ~short_ones;
    const __m512i gaps_in_place = _mm512_maskz_sub_epi8(runs, value, _mm512_set1_epi8(2));
    const __m128i gaps = _mm512_castsi512_si128(_mm512_maskz_compress_epi8(runs, gaps_in_place));
    const auto run_count = static_cast<unsigned>(__builtin_popcountll(runs));
    const auto made_bytes = static_cast<unsigned>(__builtin_popcountll(kept) +
                                                  _mm_cvtsi128_si32(_mm_sad_epu8(gaps, _mm_setzero_si128())));
    // Lengths without a meaning are among those that make too many bytes.
    if (run_count > most_runs || made_bytes > 64) {
      return step_by_elements<Avx512>(cursor, markers, bytes);
    }
    const std::uint64_t zeros = counts | (markers & ~(literals >> 1));
    const __m512i together = _mm512_maskz_compress_epi8(kept, _mm512_maskz_mov_epi8(~zeros, value));
    auto gaps_left = static_cast<std::uint32_t>(_mm_cvtsi128_si32(gaps));
    std::uint64_t left = _pext_u64(runs, kept);
    std::uint64_t places = ~std::uint64_t{0};
    unsigned moved = 0;
#pragma GCC unroll 4
    for (unsigned run = 0; run < most_runs; ++run, left &= left - 1, gaps_left >>= 8) {
      places = make_gap(places, left, moved, gaps_left & 0xff);
      moved += gaps_left & 0xff;
    }
    _mm512_storeu_si512(cursor.output, _mm512_maskz_expand_epi8(places, together));
    cursor.input += bytes;
    cursor.output += made_bytes;
    return true;
  }

private:
  // Bytes of elements that a step takes: with most_runs runs of four they make 64.
  static constexpr unsigned window = 56;
  static constexpr unsigned most_runs = 4;

  static std::uint64_t all_of(unsigned bits) {
    return (std::uint64_t{1} << bits) - 1;
  }

  static std::uint8_t* write_kept(__m512i value, std::uint64_t kept, std::uint8_t* output) {
    _mm512_storeu_si512(output, _mm512_maskz_compress_epi8(kept, value));
    return output + __builtin_popcountll(kept);
  }

  static std::uint8_t* write_pairs(__m256i value, std::uint64_t kept, std::uint64_t markers,
                                   std::uint8_t* output) {
    const std::uint64_t pairs = _pdep_u64(kept, 0x5555555555555555) | _pdep_u64(markers, 0xaaaaaaaaaaaaaaaa);
    return write_kept(_mm512_cvtepu8_epi16(value), pairs, output);
  }

  // `places` with `gap` zeros after the place of the lowest bit of `counts`, which earlier gaps moved up by
  // `moved`.
  static std::uint64_t make_gap(std::uint64_t places, std::uint64_t counts, unsigned moved, unsigned gap) {
    const auto place = static_cast<unsigned>(_tzcnt_u64(counts)) + moved + 1;
    const std::uint64_t before = _bzhi_u64(places, place);
    return before | (places ^ before) << gap;
  }
};

}  // namespace

std::size_t encode_avx512(const std::uint8_t* block, std::size_t bytes, std::uint8_t* elements) {
  return encode_with<Avx512>(block, bytes, elements);
}

format::zero_length::Status decode_avx512(const std::uint8_t* payload, std::size_t payload_bytes,
                                          std::uint8_t* output, std::size_t output_bytes) {
  return decode_with<Avx512>(payload, payload_bytes, output, output_bytes);
}

}  // namespace gsst::zero_length::GSST_SIMD_BUILD
