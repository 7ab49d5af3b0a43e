#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/shared/stream_lines.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// The compressed bytes of a chunk, a region of which is in shared memory: each lane may look anywhere in it.
namespace gsst::codag {
namespace {

// All lanes of a warp together. A place is a byte's position in the stream plus first(): its address differs
// from it by a multiple of row_bytes, or of 128 at least.
class RegionBytes {
public:
  static constexpr std::uint32_t buffer_bytes = 2048;
  // 16 bytes a lane: a load of its own for each word took 60 instructions for 128 bytes.
  static constexpr std::uint32_t row_bytes = lanes_of_warp * 16;
  // What hold() promises.
  static constexpr std::uint32_t held_bytes = buffer_bytes - row_bytes + 1;

  // `buffer`: buffer_bytes bytes of the warp's own, aligned to 16.
  __device__ RegionBytes(const std::uint8_t* bytes, std::uint32_t count, std::uint8_t* buffer)
      : first_(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(bytes) % line_bytes)),
        end_(first_ + count),
        line_(bytes - first_),
        buffer_(buffer) {
    next_ = load(0);
  }

  // Places of the stream's first byte, and of its end.
  __device__ std::uint32_t first() const { return first_; }
  __device__ std::uint32_t end() const { return end_; }

  // Makes held_bytes bytes from `place` on readable, and no earlier ones. It never falls.
  __device__ void hold(std::uint32_t place) {
    const std::uint32_t rows = place / row_bytes + rows_of_buffer;
    if (rows <= loaded_rows_) return;
    // All have read what is in the buffer before.
    __syncwarp();
    while (rows > loaded_rows_) {
      auto* const row = reinterpret_cast<Words*>(buffer_) + loaded_rows_ % rows_of_buffer * lanes_of_warp;
      row[lane_number()] = next_;
      ++loaded_rows_;
      next_ = load(loaded_rows_);
      prefetch(loaded_rows_ + rows_of_buffer);
    }
    __syncwarp();
  }

  // The rest is for the calling lane alone, in what is held. Bytes past the end are 0.
  __device__ std::uint32_t byte(std::uint32_t place) const { return buffer_[place % buffer_bytes]; }
  // Four bytes, the first is the lowest.
  __device__ std::uint32_t word(std::uint32_t place) const {
    return __funnelshift_r(aligned_word(place), aligned_word(place + word_bytes), place % word_bytes * 8);
  }
  // The 32 bits from bit `bit` after the begin of the byte at `place` on, of each byte the highest first.
  __device__ std::uint32_t bits(std::uint32_t place, std::uint32_t bit) const {
    place += bit / 8;
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
  __device__ std::uint64_t number(std::uint32_t place, std::uint32_t bit, std::uint32_t width) const {
    const std::uint32_t high = bits(place, bit);
    if (width <= 32) return high >> (32 - width);
    return (std::uint64_t{high} << 32 | bits(place, bit + 32)) >> (64 - width);
  }
  // The byte at any place, by a load from global memory.
  __device__ std::uint32_t far_byte(std::uint32_t place) const {
    return place < end_ ? line_[place] : 0;
  }

private:
  // For __byte_perm().
  static constexpr std::uint32_t reversed = 0x0123;

  static constexpr std::uint32_t rows_of_buffer = buffer_bytes / row_bytes;

  // What a lane loads of a row.
  struct alignas(16) Words {
    std::uint32_t of[4];
  };
  static_assert(sizeof(Words) * lanes_of_warp == row_bytes);

  __device__ std::uint32_t aligned_word(std::uint32_t place) const {
    return reinterpret_cast<const std::uint32_t*>(buffer_)[place % buffer_bytes / word_bytes];
  }

  // Bytes that are not of the stream are 0, and are not read: memory may end with it.
  __device__ Words load(std::uint32_t row) const {
    const std::uint32_t place = row * row_bytes + lane_number() * std::uint32_t{sizeof(Words)};
    if (place >= first_ && place + sizeof(Words) <= end_) {
      return *reinterpret_cast<const Words*>(line_ + place);
    }
    Words words = {};
    for (std::uint32_t byte = 0; byte < sizeof(Words); ++byte) {
      if (place + byte < first_ || place + byte >= end_) continue;
      words.of[byte / word_bytes] |= std::uint32_t{line_[place + byte]} << byte % word_bytes * 8;
    }
    return words;
  }

  // Asks the L2 cache for a row: the next one is asked for early, but a region has two or three.
  __device__ void prefetch([[maybe_unused]] std::uint32_t row) const {
#if defined(__CUDACC__)
    const std::uint32_t place = row * row_bytes + lane_number() * line_bytes;
    if (lane_number() < row_bytes / line_bytes && place < end_) {
      asm volatile("prefetch.global.L2 [%0];" ::"l"(line_ + place));
    }
#endif
  }

  std::uint32_t first_;
  std::uint32_t end_;
  // The cache line that has the first byte.
  const std::uint8_t* line_;
  std::uint8_t* buffer_;
  Words next_ = {};
  std::uint32_t loaded_rows_ = 0;
};

}  // namespace
}  // namespace gsst::codag
