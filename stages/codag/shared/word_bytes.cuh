#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/shared/warp_lanes.cuh"
#include "stages/codag/shared/word_values.cuh"

// Bytes for OutputStream: WordValues, and copies of earlier output, for formats with a dictionary (paper,
// section IV-F, Algorithm 2).
namespace gsst::codag {
namespace {

// All lanes of a warp together.
class WordBytes : public WordValues {
public:
  // From `output` on, at any address.
  explicit __device__ WordBytes(std::uint8_t* output) : WordValues(output, 1), output_(output) {}

  // Byte `first` and the next ones become the `count` bytes that begin `offset` bytes earlier, none of them
  // before the output's begin. Where there are more than `offset`, these repeat.
  //
  // As printed, Algorithm 2 advances by 32 bytes where it has copied 128, has no value for the bytes before
  // the first whole word where there are none, writes past the end, and reads the word before an aligned
  // source. Here a word is read only if it has a byte of the source.
  __device__ void copy(std::uint32_t first, std::uint32_t offset, std::uint32_t count) const {
    std::uint8_t* const begin = output_ + first;
    const std::uint8_t* const source = begin - offset;
    const auto to_word = static_cast<std::uint32_t>(-reinterpret_cast<std::uintptr_t>(begin) % bytes_of_word);
    const std::uint32_t before = to_word < count ? to_word : count;
    const std::uint32_t words = (count - before) / bytes_of_word;
    const std::uint32_t lane = lane_number();
    // Other lanes have written the source.
    __syncwarp();
    if (lane < before) begin[lane] = source[lane % offset];
    // A word of the source may have bytes that were just written.
    __syncwarp();
    auto* const output = reinterpret_cast<std::uint32_t*>(begin + before);
    for (std::uint32_t word = lane; word < words; word += lanes_of_warp) {
      const std::uint32_t byte = before + word * bytes_of_word;
      output[word] = offset >= count && has_whole_words(source + byte) ? load_word(source + byte)
                                                                       : repeated_word(source, byte, offset);
    }
    const std::uint32_t written = before + words * bytes_of_word;
    if (lane < count - written) begin[written + lane] = source[(written + lane) % offset];
  }

  // Byte `first` and the next ones become `count` bytes that are not of the output.
  __device__ void write_bytes(std::uint32_t first, const std::uint8_t* bytes, std::uint32_t count) const {
    for (std::uint32_t i = lane_number(); i < count; i += lanes_of_warp) output_[first + i] = bytes[i];
  }

private:
  static constexpr std::uint32_t bytes_of_word = 4;

  // Whether all of the words that a word at `address` lies in are the output's.
  __device__ bool has_whole_words(const std::uint8_t* address) const {
    return address - reinterpret_cast<std::uintptr_t>(address) % bytes_of_word >= output_;
  }

  // That at any address, out of one word or two.
  __device__ static std::uint32_t load_word(const std::uint8_t* address) {
    const auto skew = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(address) % bytes_of_word);
    const auto* const words = reinterpret_cast<const std::uint32_t*>(address - skew);
    return skew == 0 ? words[0] : __funnelshift_r(words[0], words[1], 8 * skew);
  }

  // The bytes from `byte` on where the first `offset` of the source repeat.
  __device__ static std::uint32_t repeated_word(const std::uint8_t* source, std::uint32_t byte,
                                                std::uint32_t offset) {
    std::uint32_t word = 0;
    std::uint32_t place = byte % offset;
    for (std::uint32_t i = 0; i < bytes_of_word; ++i) {
      word |= std::uint32_t{source[place]} << 8 * i;
      place = place + 1 == offset ? 0 : place + 1;
    }
    return word;
  }

  std::uint8_t* output_;
};

}  // namespace
}  // namespace gsst::codag
