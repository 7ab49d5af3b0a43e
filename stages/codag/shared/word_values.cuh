#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/shared/plain_values.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// Values for OutputStream: stores of whole words, at any address and for values of any size (paper, section
// IV-F).
namespace gsst::codag {
namespace {

// All lanes of a warp together. Of a value only the lowest bytes are stored.
class WordValues {
public:
  // From `output` on, at any address, values of `value_bytes` bytes.
  __device__ WordValues(std::uint8_t* output, std::uint32_t value_bytes)
      : plain_(output, value_bytes),
        output_(output),
        value_bytes_(value_bytes),
        has_whole_words_(value_bytes >= bytes_of_word &&
                         reinterpret_cast<std::uintptr_t>(output) % value_bytes == 0) {}

  // Bytes until the first whole word, words, and bytes after the last one.
  __device__ void write_run(std::uint32_t first, std::uint64_t value, std::uint32_t count,
                            std::uint64_t delta) const {
    if (has_whole_words_) return plain_.write_run(first, value, count, delta);
    std::uint8_t* const begin = output_ + std::uint64_t{first} * value_bytes_;
    const std::uint32_t bytes = count * value_bytes_;
    const auto to_word = static_cast<std::uint32_t>(-reinterpret_cast<std::uintptr_t>(begin) % bytes_of_word);
    const std::uint32_t before = to_word < bytes ? to_word : bytes;
    const std::uint32_t words = (bytes - before) / bytes_of_word;
    const std::uint32_t lane = lane_number();
    if (lane < before) begin[lane] = byte_of_run(lane, value, delta);
    auto* const output = reinterpret_cast<std::uint32_t*>(begin + before);
    for (std::uint32_t word = lane; word < words; word += lanes_of_warp) {
      const std::uint32_t low = word_of_run(word, value, delta);
      output[word] =
          before == 0 ? low : __funnelshift_r(low, word_of_run(word + 1, value, delta), 8 * before);
    }
    const std::uint32_t written = before + words * bytes_of_word;
    if (lane < bytes - written) begin[written + lane] = byte_of_run(written + lane, value, delta);
  }

  // A lane for each byte where there is no whole word.
  __device__ void write_value(std::uint32_t first, std::uint64_t value) const {
    if (has_whole_words_) return plain_.write_value(first, value);
    const std::uint32_t lane = lane_number();
    if (lane < value_bytes_) {
      output_[std::uint64_t{first} * value_bytes_ + lane] = static_cast<std::uint8_t>(value >> 8 * lane);
    }
  }

private:
  static constexpr std::uint32_t bytes_of_word = 4;

  // Of the bytes of a run's values, counted from its begin.
  __device__ std::uint8_t byte_of_run(std::uint32_t byte, std::uint64_t value, std::uint64_t delta) const {
    return static_cast<std::uint8_t>(word_of_run(byte / bytes_of_word, value, delta) >>
                                     8 * (byte % bytes_of_word));
  }

  // Of the same bytes taken as words.
  __device__ std::uint32_t word_of_run(std::uint32_t word, std::uint64_t value, std::uint64_t delta) const {
    if (value_bytes_ == 8) {
      return static_cast<std::uint32_t>((value + delta * (word / 2)) >> 32 * (word % 2));
    }
    const auto step = static_cast<std::uint32_t>(delta);
    const std::uint32_t first =
        static_cast<std::uint32_t>(value) + step * (bytes_of_word / value_bytes_ * word);
    if (value_bytes_ == 4) return first;
    if (value_bytes_ == 2) return __byte_perm(first, first + step, 0x5410);
    return __byte_perm(__byte_perm(first, first + step, 0x0040),
                       __byte_perm(first + 2 * step, first + 3 * step, 0x0040), 0x5410);
  }

  PlainValues<> plain_;
  std::uint8_t* output_;
  std::uint32_t value_bytes_;
  bool has_whole_words_;
};

}  // namespace
}  // namespace gsst::codag
