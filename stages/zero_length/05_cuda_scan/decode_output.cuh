#pragma once

#include <cstdint>

#include "stages/zero_length/05_cuda_scan/decode_elements.cuh"
#include "stages/zero_length/05_cuda_scan/decode_payload.cuh"

namespace gsst::zero_length::decoder {
namespace {

// Puts output together in shared memory and writes it to global memory in aligned vectors. A window of
// vectors moves over the output; it is zero where nothing has been placed, so that runs need no stores.
// Places are counted from the start of the vector that holds the first byte of the output. All threads of a
// thread block of `Threads` hold one, with the same values.
template <unsigned Threads>
class OutputWindow {
public:
  // `memory` is shared memory, window_bytes() of `capacity`, aligned to a vector. `capacity` is a multiple of
  // a vector. The window may be used after clear() and a barrier.
  __device__ OutputWindow(std::uint8_t* memory, std::uint32_t capacity, std::uint8_t* output)
      : window_(memory + vector_bytes),
        capacity_(capacity),
        begin_(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(output) % vector_bytes)),
        first_(output - begin_) {}

  // What a window of `capacity` bytes takes: a vector more before it, which anything may be placed in and
  // which nobody reads, and one after it, which stays zero.
  static constexpr std::uint32_t window_bytes(std::uint32_t capacity) { return capacity + 2 * vector_bytes; }

  // Makes the window in `memory` zero.
  __device__ static void clear(std::uint8_t* memory, std::uint32_t capacity) {
    auto* const vectors = reinterpret_cast<Vector*>(memory);
    for (std::uint32_t i = threadIdx.x; i < window_bytes(capacity) / vector_bytes; i += Threads) {
      vectors[i] = {};
    }
  }

  // Of the output's first byte.
  __device__ std::uint32_t begin() const { return begin_; }
  // Of the window's first byte.
  __device__ std::uint32_t front() const { return front_; }
  // Whether all places before `end` that are not yet written are in the window.
  __device__ bool has_room_until(std::uint32_t end) const { return end - front_ <= capacity_; }
  __device__ Window window() const { return {.bytes = window_, .size = capacity_}; }

  // Writes the vectors of the window that end before `end`, the next place that nothing is placed at, and
  // moves the window behind them. Barriers before and after are the caller's.
  __device__ void write_until(std::uint32_t end) {
    const std::uint32_t placed = has_room_until(end) ? end - front_ : capacity_;
    const std::uint32_t vectors = placed / vector_bytes;
    std::uint32_t i = threadIdx.x;
    if (front_ < begin_ && vectors != 0 && i < 32) {
      write_bytes(begin_, vector_bytes);
      __syncwarp();
      if (i == 0) {
        vector(0) = {};
        i += Threads;
      }
    }
    // Two at a time, so that one load does not wait for the other.
    auto* from = reinterpret_cast<Vector*>(window_) + i;
    auto* to = reinterpret_cast<Vector*>(first_ + front_) + i;
#pragma unroll 1
    for (; i + Threads < vectors; i += 2 * Threads, from += 2 * Threads, to += 2 * Threads) {
      const Vector one = from[0];
      const Vector other = from[Threads];
      from[0] = {};
      from[Threads] = {};
      to[0] = one;
      to[Threads] = other;
    }
    if (i < vectors) {
      *to = *from;
      *from = {};
    }
    // The thread that had the first vector puts the unfinished one there.
    if (threadIdx.x == 0 && vectors != 0) {
      vector(0) = vector(vectors);
      vector(vectors) = {};
    }
    front_ += vectors * vector_bytes;
  }

  // Writes the unfinished vector, which ends before `end`. After a barrier.
  __device__ void write_rest(std::uint32_t end) const {
    write_bytes(front_ < begin_ ? begin_ : 0, end - front_);
  }

private:
  __device__ Vector& vector(std::uint32_t i) const {
    return *reinterpret_cast<Vector*>(window_ + i * vector_bytes);
  }

  // Writes the bytes from `begin` to `end` of the window's first vector, a thread each.
  __device__ void write_bytes(std::uint32_t begin, std::uint32_t end) const {
    const std::uint32_t i = threadIdx.x;
    if (i >= begin && i < end) first_[front_ + i] = window_[i];
  }

  std::uint8_t* window_;
  std::uint32_t capacity_;
  std::uint32_t begin_;
  std::uint32_t front_ = 0;
  std::uint8_t* first_;
};

}  // namespace
}  // namespace gsst::zero_length::decoder
