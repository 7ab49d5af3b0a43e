#include "stages/zero_length/03_simd/decode_loop.hpp"
#include "stages/zero_length/03_simd/elements.hpp"
#include "stages/zero_length/03_simd/encode_loop.hpp"
#include "stages/zero_length/03_simd/words.hpp"

// 8 bytes at a time, in 64-bit words and C++ alone.
namespace gsst::zero_length::GSST_SIMD_BUILD {
namespace {

constexpr std::uint64_t low_bits = 0x0101010101010101;
constexpr std::uint64_t high_bits = 0x8080808080808080;

struct Words {
  struct Bytes {
    const std::uint8_t* input;
    std::uint64_t zeros;
  };

  static Bytes load(const std::uint8_t* input) {
    std::uint64_t zeros = 0;
#pragma GCC unroll 8
    for (int group = 0; group < step_bytes; group += 8) {
      zeros |= zeros_of(load_word(input + group)) << group;
    }
    return {input, zeros};
  }

  [[gnu::always_inline]] static void prefetch(const std::uint8_t* input, const std::uint8_t* output) {
    __builtin_prefetch(input + 2048);
    __builtin_prefetch(output + 1024, 1);
  }

  static std::uint8_t* write(const Bytes& bytes, const RunMasks& masks, unsigned before,
                             std::uint8_t* output) {
    return write_words(bytes.input, bytes.zeros, markers_at(bytes.input), masks, before, output);
  }

  static void copy_step(std::uint8_t* to, const std::uint8_t* from) {
    std::memcpy(to, from, step_bytes);
  }
  static void zero_step(std::uint8_t* to) {
    std::memset(to, 0, step_bytes);
  }

  static void usual_steps(DecodeCursor& /*cursor*/) {}

  [[gnu::always_inline]] static bool step(DecodeCursor& cursor) {
    prefetch(cursor.input, cursor.output);
    const std::uint64_t markers = markers_at(cursor.input);
    if (are_dense(markers)) return decode_literal_markers(cursor);
    return step_by_elements<Words>(cursor, markers, step_bytes);
  }

private:
  // Which bytes of a word are 0.
  static std::uint64_t zeros_of(std::uint64_t word) {
    const std::uint64_t others = ((word & ~high_bits) + ~high_bits) | word;
    // Bit 8 i + 7 goes to bit 56 + i.
    constexpr std::uint64_t gather = 0x0002040810204081;
    return ((~others & high_bits) * gather) >> 56;
  }

  // Which of 64 bytes are FF. Most steps have none, which takes fewer operations to see.
  static std::uint64_t markers_at(const std::uint8_t* input) {
    std::uint64_t any = 0;
#pragma GCC unroll 8
    for (int group = 0; group < step_bytes; group += 8) {
      const std::uint64_t word = ~load_word(input + group);
      any |= (word - low_bits) & ~word & high_bits;
    }
    if (any == 0) return 0;
    std::uint64_t markers = 0;
#pragma GCC unroll 8
    for (int group = 0; group < step_bytes; group += 8) {
      markers |= zeros_of(~load_word(input + group)) << group;
    }
    return markers;
  }
};

}  // namespace

std::size_t encode_words(const std::uint8_t* block, std::size_t bytes, std::uint8_t* elements) {
  return encode_with<Words>(block, bytes, elements);
}

format::zero_length::Status decode_words(const std::uint8_t* payload, std::size_t payload_bytes,
                                         std::uint8_t* output, std::size_t output_bytes) {
  return decode_with<Words>(payload, payload_bytes, output, output_bytes);
}

}  // namespace gsst::zero_length::GSST_SIMD_BUILD
