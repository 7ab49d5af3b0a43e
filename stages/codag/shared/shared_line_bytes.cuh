#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/shared/stream_lines.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// Bytes for InputStream: whole cache lines, read by all lanes on demand into shared memory (paper, section
// IV-E, Algorithm 1).
namespace gsst::codag {
namespace {

// All lanes of a warp together, for the same positions.
class SharedLineBytes {
public:
  // Two lines.
  static constexpr std::uint32_t buffer_bytes = 2 * line_bytes;

  // `buffer`: buffer_bytes bytes of the warp's own, aligned to words.
  __device__ SharedLineBytes(const std::uint8_t* bytes, std::uint32_t count, std::uint8_t* buffer)
      : lines_(bytes, count), count_(count), buffer_(buffer) {
    load_line();
  }

  __device__ std::uint32_t byte(std::uint32_t position) {
    const std::uint32_t place = lines_.place(position);
    // No earlier line is asked for from here on: there is room for another one.
    while (place >= loaded_lines_ * line_bytes - line_bytes + peeked_bytes) load_line();
    return buffer_[place % buffer_bytes];
  }
  __device__ std::uint32_t far_byte(std::uint32_t position) const { return lines_.load_byte(position); }
  __device__ std::uint32_t count() const { return count_; }

private:
  __device__ void load_line() {
    const std::uint32_t word = lines_.load_word(loaded_lines_);
    // All have read what is in the buffer before.
    __syncwarp();
    reinterpret_cast<std::uint32_t*>(buffer_)[loaded_lines_ % 2 * lanes_of_warp + lane_number()] = word;
    __syncwarp();
    ++loaded_lines_;
  }

  StreamLines lines_;
  std::uint32_t count_;
  std::uint8_t* buffer_;
  std::uint32_t loaded_lines_ = 0;
};

}  // namespace
}  // namespace gsst::codag
