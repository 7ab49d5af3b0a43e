#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/shared/stream_lines.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// Bytes for InputStream: whole cache lines, read by all lanes on demand into two registers of each (paper,
// section IV-E, "Using Registers").
namespace gsst::codag {
namespace {

// All lanes of a warp together, for the same positions.
class RegisterLineBytes {
public:
  static constexpr std::uint32_t buffer_bytes = 0;

  // Without a buffer in shared memory.
  __device__ RegisterLineBytes(const std::uint8_t* bytes, std::uint32_t count, std::uint8_t* /*buffer*/)
      : lines_(bytes, count), count_(count), even_word_(lines_.load_word(0)) {}

  __device__ std::uint32_t byte(std::uint32_t position) {
    const std::uint32_t place = lines_.place(position);
    // No earlier line is asked for from here on: there is room for another one.
    while (place >= loaded_lines_ * line_bytes - line_bytes + peeked_bytes) {
      const std::uint32_t word = lines_.load_word(loaded_lines_);
      (loaded_lines_ % 2 == 0 ? even_word_ : odd_word_) = word;
      ++loaded_lines_;
    }
    const std::uint32_t own_word = place / line_bytes % 2 == 0 ? even_word_ : odd_word_;
    const auto lane = static_cast<int>(place / word_bytes % lanes_of_warp);
    return __shfl_sync(every_lane, own_word, lane) >> place % word_bytes * 8 & 0xff;
  }
  __device__ std::uint32_t far_byte(std::uint32_t position) const { return lines_.load_byte(position); }
  __device__ std::uint32_t count() const { return count_; }

private:
  StreamLines lines_;
  std::uint32_t count_;
  std::uint32_t even_word_;
  std::uint32_t odd_word_ = 0;
  std::uint32_t loaded_lines_ = 1;
};

}  // namespace
}  // namespace gsst::codag
