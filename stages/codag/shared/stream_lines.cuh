#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/shared/warp_lanes.cuh"

// The compressed bytes of a chunk as the cache lines that they lie in.
namespace gsst::codag {
namespace {

constexpr std::uint32_t line_bytes = 128;
constexpr std::uint32_t word_bytes = 4;
static_assert(line_bytes == lanes_of_warp * word_bytes);
// A peek looks ahead by so many bytes at most.
constexpr std::uint32_t peeked_bytes = 8;

class StreamLines {
public:
  __device__ StreamLines(const std::uint8_t* bytes, std::uint32_t count)
      : begin_(bytes), end_(bytes + count), skew_(reinterpret_cast<std::uintptr_t>(bytes) % line_bytes) {}

  // Where the byte at `position` of the stream is, counted from the first line's begin.
  __device__ std::uint32_t place(std::uint32_t position) const {
    return position + static_cast<std::uint32_t>(skew_);
  }
  // Lines that have bytes of the stream.
  __device__ std::uint32_t count() const {
    return (place(static_cast<std::uint32_t>(end_ - begin_)) + line_bytes - 1) / line_bytes;
  }

  // The word of line `line` that this lane loads. Bytes that are not of the stream are 0, and are not read:
  // memory may end with it.
  __device__ std::uint32_t load_word(std::uint32_t line) const {
    const std::uint8_t* const address =
        begin_ - skew_ + std::uint64_t{line} * line_bytes + lane_number() * word_bytes;
    if (address >= begin_ && address + word_bytes <= end_) {
      return *reinterpret_cast<const std::uint32_t*>(address);
    }
    std::uint32_t word = 0;
    for (std::uint32_t i = 0; i < word_bytes; ++i) {
      if (address + i >= begin_ && address + i < end_) word |= std::uint32_t{address[i]} << 8 * i;
    }
    return word;
  }

  // The byte at `position` of the stream, 0 past its end.
  __device__ std::uint32_t load_byte(std::uint32_t position) const {
    return begin_ + position < end_ ? begin_[position] : 0;
  }

private:
  const std::uint8_t* begin_;
  const std::uint8_t* end_;
  std::uintptr_t skew_;
};

}  // namespace
}  // namespace gsst::codag
