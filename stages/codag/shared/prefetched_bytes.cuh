#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/shared/stream_lines.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// Bytes for InputStream: cache lines that another warp reads ahead of this one (paper, section V-F).
namespace gsst::codag {
namespace {

// The threads of the two warps.
constexpr std::uint32_t threads_of_pair = 2 * lanes_of_warp;

// All lanes of both warps of a thread block: what one warp has stored before, the other one loads after.
__device__ inline void meet_other_warp() {
#if defined(__CUDACC__)
  // The warps come from different places.
  asm volatile("barrier.sync 1, %0;" ::"n"(threads_of_pair) : "memory");
#else
  __syncthreads();
#endif
}

// Of the warp that decodes: all lanes together, for the same positions.
class PrefetchedBytes {
public:
  // The line that is decoded, the one before, which a peek may go back to, and the one that is being read.
  // A power of two.
  static constexpr std::uint32_t lines_of_buffer = 4;
  static constexpr std::uint32_t buffer_bytes = lines_of_buffer * line_bytes;

  // `buffer`: buffer_bytes bytes of shared memory, aligned to words.
  __device__ PrefetchedBytes(const std::uint8_t* bytes, std::uint32_t count, const std::uint8_t* buffer)
      : lines_(bytes, count), count_(count), buffer_(buffer) {}

  __device__ std::uint32_t byte(std::uint32_t position) {
    if (position >= count_) return 0;
    const std::uint32_t place = lines_.place(position);
    while (place >= met_lines_ * line_bytes) meet();
    return buffer_[place % buffer_bytes];
  }
  __device__ std::uint32_t far_byte(std::uint32_t position) const { return lines_.load_byte(position); }
  __device__ std::uint32_t count() const { return count_; }

  // To be called once nothing more is asked for: the other warp waits until all lines are taken.
  __device__ void take_remaining_lines() {
    while (met_lines_ < lines_.count()) meet();
  }

private:
  __device__ void meet() {
    meet_other_warp();
    ++met_lines_;
  }

  StreamLines lines_;
  std::uint32_t count_;
  const std::uint8_t* buffer_;
  std::uint32_t met_lines_ = 0;
};

// All lanes of the warp that reads. The warps meet once for each line: after it, it may be decoded, and the
// next one takes the place of the one that is two lines older than the last decoded.
__device__ inline void prefetch_lines(const std::uint8_t* bytes, std::uint32_t count, std::uint8_t* buffer) {
  const StreamLines lines(bytes, count);
  for (std::uint32_t line = 0; line < lines.count(); ++line) {
    const std::uint32_t word = line % PrefetchedBytes::lines_of_buffer * lanes_of_warp + lane_number();
    reinterpret_cast<std::uint32_t*>(buffer)[word] = lines.load_word(line);
    meet_other_warp();
  }
}

}  // namespace
}  // namespace gsst::codag
