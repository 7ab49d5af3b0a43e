#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/shared/stream_lines.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// Bytes for InputStream: cache lines that a warp reads ahead of a thread that decodes, in the same thread
// block (paper, section II-C: the batch buffers).
namespace gsst::codag {
namespace {

constexpr std::uint32_t lines_of_ring = 16;
constexpr std::uint32_t bytes_of_ring = lines_of_ring * line_bytes;

// Of the thread that decodes.
class RingBytes {
public:
  // `ring`: bytes_of_ring bytes of shared memory, which a RingFiller fills.
  __device__ RingBytes(const std::uint8_t* bytes, std::uint32_t count, const std::uint8_t* ring)
      : lines_(bytes, count), count_(count), ring_(ring) {}

  __device__ std::uint32_t byte(std::uint32_t position) const {
    return position < count_ ? ring_[lines_.place(position) % bytes_of_ring] : 0;
  }
  __device__ std::uint32_t far_byte(std::uint32_t position) const { return lines_.load_byte(position); }
  __device__ std::uint32_t count() const { return count_; }

private:
  StreamLines lines_;
  std::uint32_t count_;
  const std::uint8_t* ring_;
};

// Of the warp that reads: all lanes together.
class RingFiller {
public:
  // `ring` as for RingBytes, aligned to words.
  __device__ RingFiller(const std::uint8_t* bytes, std::uint32_t count, std::uint8_t* ring)
      : lines_(bytes, count), ring_(ring) {}

  // Reads as many lines as there is room for, where the thread that decodes has come to `position`.
  __device__ void fill(std::uint32_t position) {
    const std::uint32_t place = lines_.place(position);
    const std::uint32_t oldest = place < peeked_bytes ? 0 : (place - peeked_bytes) / line_bytes;
    for (; next_line_ < lines_.count() && next_line_ < oldest + lines_of_ring; ++next_line_) {
      reinterpret_cast<std::uint32_t*>(ring_)[next_line_ % lines_of_ring * lanes_of_warp + lane_number()] =
          lines_.load_word(next_line_);
    }
  }

private:
  StreamLines lines_;
  std::uint8_t* ring_;
  std::uint32_t next_line_ = 0;
};

}  // namespace
}  // namespace gsst::codag
