#include <emmintrin.h>

#include "stages/zero_length/03_simd/decode_loop.hpp"
#include "stages/zero_length/03_simd/elements.hpp"
#include "stages/zero_length/03_simd/encode_loop.hpp"
#include "stages/zero_length/03_simd/words.hpp"

// 16 bytes at a time: SSE2 finds the bytes, words move them.
namespace gsst::zero_length::GSST_SIMD_BUILD {
namespace {

struct Sse2 {
  struct Bytes {
    const std::uint8_t* input;
    std::uint64_t zeros;
  };

  static Bytes load(const std::uint8_t* input) { return {input, equal(input, _mm_setzero_si128())}; }

  [[gnu::always_inline]] static void prefetch(const std::uint8_t* input, const std::uint8_t* output) {
    __builtin_prefetch(input + 2048);
    __builtin_prefetch(output + 1024, 1);
  }

  static std::uint8_t* write(const Bytes& bytes, const RunMasks& masks, unsigned before,
                             std::uint8_t* output) {
    return write_words(bytes.input, bytes.zeros, equal(bytes.input, _mm_set1_epi8(-1)), masks, before,
                       output);
  }

  static void copy_step(std::uint8_t* to, const std::uint8_t* from) {
    const __m128i first = load16(from);
    const __m128i second = load16(from + 16);
    const __m128i third = load16(from + 32);
    const __m128i fourth = load16(from + 48);
    store16(to, first);
    store16(to + 16, second);
    store16(to + 32, third);
    store16(to + 48, fourth);
  }
  static void zero_step(std::uint8_t* to) {
    for (int group = 0; group < 64; group += 16) store16(to + group, _mm_setzero_si128());
  }

  static void usual_steps(DecodeCursor& /*cursor*/) {}

  [[gnu::always_inline]] static bool step(DecodeCursor& cursor) {
    prefetch(cursor.input, cursor.output);
    const std::uint64_t markers = equal(cursor.input, _mm_set1_epi8(-1));
    if (are_dense(markers)) return decode_literal_markers(cursor);
    return step_by_elements<Sse2>(cursor, markers, step_bytes);
  }

private:
  static __m128i load16(const std::uint8_t* from) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  }
  static void store16(std::uint8_t* to, __m128i bytes) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
  }

  // Which of 64 bytes are equal to those of `to`.
  static std::uint64_t equal(const std::uint8_t* input, __m128i to) {
    std::uint64_t mask = 0;
#pragma GCC unroll 4
    for (int group = 0; group < step_bytes; group += 16) {
      const int found = _mm_movemask_epi8(_mm_cmpeq_epi8(load16(input + group), to));
      mask |= std::uint64_t{static_cast<std::uint32_t>(found)} << group;
    }
    return mask;
  }
};

}  // namespace

std::size_t encode_sse2(const std::uint8_t* block, std::size_t bytes, std::uint8_t* elements) {
  return encode_with<Sse2>(block, bytes, elements);
}

format::zero_length::Status decode_sse2(const std::uint8_t* payload, std::size_t payload_bytes,
                                        std::uint8_t* output, std::size_t output_bytes) {
  return decode_with<Sse2>(payload, payload_bytes, output, output_bytes);
}

}  // namespace gsst::zero_length::GSST_SIMD_BUILD
