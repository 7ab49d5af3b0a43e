#include <immintrin.h>

#include "stages/zero_length/03_simd/decode_loop.hpp"
#include "stages/zero_length/03_simd/elements.hpp"
#include "stages/zero_length/03_simd/encode_loop.hpp"
#include "stages/zero_length/03_simd/shuffles.hpp"

// 32 bytes at a time: AVX2 finds the bytes, and a shuffle whose pattern is looked up moves 8 of them.
namespace gsst::zero_length::GSST_SIMD_BUILD {
namespace {

alignas(64) constexpr std::array<std::array<std::uint8_t, 8>, 256> kept_shuffles = make_kept_shuffles();
constexpr std::array<Shuffle, 256> marked_shuffles = make_marked_shuffles();
constexpr std::array<Shuffle, 512> fours_shuffles = make_fours_shuffles();
constexpr std::array<Shuffle, 512> mixed_shuffles = make_mixed_shuffles();

struct Avx2 {
  struct Bytes {
    __m256i low;
    __m256i high;
    std::uint64_t zeros;
  };

  static Bytes load(const std::uint8_t* input) {
    const __m256i low = load32(input);
    const __m256i high = load32(input + 32);
    return {low, high, equal(low, high, _mm256_setzero_si256())};
  }

  [[gnu::always_inline]] static void prefetch(const std::uint8_t* input, const std::uint8_t* output) {
    __builtin_prefetch(input + 2048);
    __builtin_prefetch(output + 1024, 1);
  }

  static std::uint8_t* write(const Bytes& bytes, const RunMasks& masks, unsigned before,
                             std::uint8_t* output) {
    alignas(32) std::uint8_t changed[step_bytes];
    store32(changed, change(bytes.low, masks.markers, masks.counts));
    store32(changed + 32, change(bytes.high, masks.markers >> 32, masks.counts >> 32));
    for (std::uint64_t others = masks.counts & ~masks.fours; others != 0; others &= others - 1) {
      const auto end = static_cast<unsigned>(__builtin_ctzll(others));
      changed[end] = run_length(bytes.zeros, end, before);
    }
    const std::uint64_t kept = ~masks.dropped;
    const std::uint64_t markers = equal(bytes.low, bytes.high, _mm256_set1_epi8(-1));
    return markers == 0 ? write_kept(changed, kept, output) : write_marked(changed, kept, markers, output);
  }

  static void copy_step(std::uint8_t* to, const std::uint8_t* from) {
    const __m256i low = load32(from);
    const __m256i high = load32(from + 32);
    store32(to, low);
    store32(to + 32, high);
  }
  static void zero_step(std::uint8_t* to) {
    store32(to, _mm256_setzero_si256());
    store32(to + 32, _mm256_setzero_si256());
  }

  // A marker at the end of the 64 bytes has made its zero before its length is known: if that is another than
  // four, the marker is the first byte of step().
  [[gnu::always_inline]] static void usual_steps(DecodeCursor& cursor) {
    std::uint64_t split = 0;
    while (has_room(cursor)) {
      const __m256i low = load32(cursor.input);
      const __m256i high = load32(cursor.input + 32);
      prefetch(cursor.input, cursor.output);
      const std::uint64_t markers = equal(low, high, _mm256_set1_epi8(-1));
      const std::uint64_t counts = markers << 1 | split;
      const std::uint64_t others = counts & ~equal(low, high, _mm256_set1_epi8(4));
      const std::uint64_t touching = markers & counts << 1;
      if ((others | touching) != 0) break;
      cursor.output = write_fours(cursor.input, counts, markers, cursor.output);
      cursor.input += step_bytes;
      split = markers >> (step_bytes - 1);
    }
    cursor.input -= split;
    cursor.output -= split;
  }

  // Literal markers too, and runs that touch.
  [[gnu::always_inline]] static bool step(DecodeCursor& cursor) {
    const __m256i low = load32(cursor.input);
    const __m256i high = load32(cursor.input + 32);
    std::uint64_t markers = equal(low, high, _mm256_set1_epi8(-1));
    // A marker at the end is the next step's first byte.
    const std::uint64_t last = markers >> (step_bytes - 1);
    markers &= ~(std::uint64_t{1} << (step_bytes - 1));
    const std::uint64_t counts = markers << 1;
    const std::uint64_t literals = counts & equal(low, high, _mm256_setzero_si256());
    if ((counts & ~literals & ~equal(low, high, _mm256_set1_epi8(4))) != 0) {
      return step_by_elements<Avx2>(cursor, markers, static_cast<unsigned>(step_bytes - last));
    }
    cursor.output = write_mixed(cursor.input, counts & ~literals, literals, cursor.output) - last;
    cursor.input += step_bytes - last;
    return true;
  }

private:
  static __m256i load32(const std::uint8_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  }
  static void store32(std::uint8_t* to, __m256i bytes) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), bytes);
  }
  static __m128i load8(const std::uint8_t* from) {
    return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
  }
  static __m128i load4(const std::uint8_t* from) {
    int four;
    std::memcpy(&four, from, sizeof four);
    return _mm_cvtsi32_si128(four);
  }

  // Which of the 64 bytes are equal to those of `to`.
  static std::uint64_t equal(__m256i low, __m256i high, __m256i to) {
    const auto low_mask = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, to)));
    const auto high_mask = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, to)));
    return low_mask | std::uint64_t{high_mask} << 32;
  }

  // FF for each bit of the low half of `mask`.
  static __m256i bytes_of(std::uint64_t mask) {
    const __m256i spread =
        _mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int>(static_cast<std::uint32_t>(mask))),
                            _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2,
                                             2, 2, 3, 3, 3, 3, 3, 3, 3, 3));
    const __m256i bits = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201));
    return _mm256_cmpeq_epi8(_mm256_and_si256(spread, bits), bits);
  }

  // Zeros that become FF and 4.
  static __m256i change(__m256i bytes, std::uint64_t markers, std::uint64_t counts) {
    const __m256i fours = _mm256_and_si256(bytes_of(counts), _mm256_set1_epi8(4));
    return _mm256_or_si256(_mm256_or_si256(bytes, fours), bytes_of(markers));
  }

  // Stores 16 bytes.
  static std::uint8_t* write_shuffled(__m128i bytes, const Shuffle& shuffle, std::uint8_t* output) {
    const __m128i pattern = _mm_load_si128(reinterpret_cast<const __m128i*>(&shuffle));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(output), _mm_shuffle_epi8(bytes, pattern));
    return output + shuffle.made_bytes();
  }

  static std::uint8_t* write_kept(const std::uint8_t* bytes, std::uint64_t kept, std::uint8_t* output) {
#pragma GCC unroll 8
    for (int group = 0; group < step_bytes; group += 8) {
      const std::uint64_t mask = kept >> group & 0xff;
      const __m128i together = _mm_shuffle_epi8(load8(bytes + group), load8(kept_shuffles[mask].data()));
      // Stores of 16 bytes, as in write_shuffled(), are slower here by a tenth: they cross more cache lines.
      _mm_storel_epi64(reinterpret_cast<__m128i*>(output), together);
      output += __builtin_popcountll(mask);
    }
    return output;
  }

  static std::uint8_t* write_marked(const std::uint8_t* bytes, std::uint64_t kept, std::uint64_t markers,
                                    std::uint8_t* output) {
    for (int group = 0; group < step_bytes; group += 4) {
      const std::uint64_t index = (kept >> group & 0xf) | (markers >> group & 0xf) << 4;
      output = write_shuffled(load4(bytes + group), marked_shuffles[index], output);
    }
    return output;
  }

  static std::uint8_t* write_fours(const std::uint8_t* input, std::uint64_t counts, std::uint64_t markers,
                                   std::uint8_t* output) {
    constexpr int last_group = step_bytes - 8;
#pragma GCC unroll 8
    for (int group = 0; group < last_group; group += 8) {
      output = write_shuffled(load8(input + group), fours_shuffles[counts >> group & 0x1ff], output);
    }
    const std::uint64_t last_index = counts >> last_group | markers >> (step_bytes - 1) << 8;
    return write_shuffled(load8(input + last_group), fours_shuffles[last_index], output);
  }

  static std::uint8_t* write_mixed(const std::uint8_t* input, std::uint64_t counts, std::uint64_t literals,
                                   std::uint8_t* output) {
    for (int group = 0; group < step_bytes; group += 4) {
      const std::uint64_t index = (counts >> group & 0x1f) | (literals >> group & 0xf) << 5;
      output = write_shuffled(load4(input + group), mixed_shuffles[index], output);
    }
    return output;
  }
};

}  // namespace

std::size_t encode_avx2(const std::uint8_t* block, std::size_t bytes, std::uint8_t* elements) {
  return encode_with<Avx2>(block, bytes, elements);
}

format::zero_length::Status decode_avx2(const std::uint8_t* payload, std::size_t payload_bytes,
                                        std::uint8_t* output, std::size_t output_bytes) {
  return decode_with<Avx2>(payload, payload_bytes, output, output_bytes);
}

}  // namespace gsst::zero_length::GSST_SIMD_BUILD
