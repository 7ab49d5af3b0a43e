#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/shared/stream_lines.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// The compressed bytes of a chunk, a window of which is in shared memory: each lane may look anywhere in it.
namespace gsst::codag {
namespace {

// All lanes of a warp together.
class WindowBytes {
public:
  static constexpr std::uint32_t buffer_bytes = 4 * line_bytes;
  // What hold() promises.
  static constexpr std::uint32_t held_bytes = buffer_bytes - line_bytes;

  // `buffer`: buffer_bytes bytes of the warp's own, aligned to words.
  __device__ WindowBytes(const std::uint8_t* bytes, std::uint32_t count, std::uint8_t* buffer)
      : lines_(bytes, count), count_(count), buffer_(buffer), next_word_(lines_.load_word(0)) {}

  // Makes held_bytes bytes from `position` on readable, and no earlier ones. It never falls.
  __device__ void hold(std::uint32_t position) {
    const std::uint32_t first = lines_.place(position) / line_bytes;
    if (first + lines_of_buffer <= loaded_lines_) return;
    // All have read what is in the buffer before.
    __syncwarp();
    while (first + lines_of_buffer > loaded_lines_) {
      words()[loaded_lines_ % lines_of_buffer * lanes_of_warp + lane_number()] = next_word_;
      ++loaded_lines_;
      // Asked for long before it is needed.
      next_word_ = lines_.load_word(loaded_lines_);
    }
    __syncwarp();
  }

  // The rest is for the calling lane alone, in what is held. Bytes past the end are 0.
  __device__ std::uint32_t byte(std::uint32_t position) const {
    return buffer_[lines_.place(position) % buffer_bytes];
  }
  // Four bytes, the first is the lowest.
  __device__ std::uint32_t word(std::uint32_t position) const {
    const std::uint32_t place = lines_.place(position);
    return __funnelshift_r(aligned_word(place), aligned_word(place + word_bytes), place % word_bytes * 8);
  }
  // The 32 bits from bit `bit` after the begin of the byte at `position` on, of each byte the highest first.
  __device__ std::uint32_t bits(std::uint32_t position, std::uint32_t bit) const {
    const std::uint32_t place = lines_.place(position) + bit / 8;
    const std::uint32_t high = __byte_perm(aligned_word(place), 0, reversed);
    const std::uint32_t low = __byte_perm(aligned_word(place + word_bytes), 0, reversed);
    const std::uint32_t skew = place % word_bytes * 8 + bit % 8;
#if defined(__CUDA_ARCH__)
    return __funnelshift_l(low, high, skew);
#else
    return skew == 0 ? high : __funnelshift_r(low, high, 32 - skew);
#endif
  }
  // The number of `width` bits there, 1 to 64.
  __device__ std::uint64_t number(std::uint32_t position, std::uint32_t bit, std::uint32_t width) const {
    const std::uint32_t high = bits(position, bit);
    if (width <= 32) return high >> (32 - width);
    return (std::uint64_t{high} << 32 | bits(position, bit + 32)) >> (64 - width);
  }
  // The byte at any position, by a load from global memory.
  __device__ std::uint32_t far_byte(std::uint32_t position) const {
    return lines_.load_byte(position);
  }
  __device__ std::uint32_t count() const {
    return count_;
  }

private:
  // For __byte_perm().
  static constexpr std::uint32_t reversed = 0x0123;

  static constexpr std::uint32_t lines_of_buffer = buffer_bytes / line_bytes;

  __device__ std::uint32_t* words() const {
    return reinterpret_cast<std::uint32_t*>(buffer_);
  }
  __device__ std::uint32_t aligned_word(std::uint32_t place) const {
    return words()[place / word_bytes % (buffer_bytes / word_bytes)];
  }

  StreamLines lines_;
  std::uint32_t count_;
  std::uint8_t* buffer_;
  std::uint32_t next_word_;
  std::uint32_t loaded_lines_ = 0;
};

}  // namespace
}  // namespace gsst::codag
