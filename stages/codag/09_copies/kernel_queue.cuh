#pragma once

#include <cstdint>

#include "common/device/memory_order.hpp"
#include "common/stage/launch.hpp"
#include "stages/codag/shared/substream_copies.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// Pieces of output that one warp of a thread block stages and another one completes.
namespace gsst::codag {
namespace {

// As device::load_acquire() and device::store_release(), for shared memory and the threads of a block.
__device__ inline std::uint32_t load_acquire_shared(const std::uint32_t* word) {
#if defined(__CUDACC__)
  std::uint32_t value;
  asm volatile("ld.acquire.cta.shared.u32 %0, [%1];"
               : "=r"(value)
               : "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(word)))
               : "memory");
  return value;
#else
  return device::load_acquire(word);
#endif
}

__device__ inline void store_release_shared(std::uint32_t* word, std::uint32_t value) {
#if defined(__CUDACC__)
  asm volatile(
      "st.release.cta.shared.u32 [%0], %1;" ::"r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(word))),
      "r"(value)
      : "memory");
#else
  device::store_release(word, value);
#endif
}

// In shared memory: how many pieces one warp has given, and the other one has written.
struct QueueCounts {
  std::uint32_t given;
  std::uint32_t written;
};

// All lanes of a warp: waits until a count is `least` or more, and sees what the other warp did before it.
__device__ inline void wait_for_count(const std::uint32_t* count, std::uint32_t least) {
  if (lane_number() == 0) {
    while (load_acquire_shared(count) < least) {
#if defined(__CUDACC__)
      // A piece takes some microseconds: the places to issue are others' meanwhile.
      __nanosleep(100);
#endif
    }
  }
  __syncwarp();
}

// All lanes of a warp: the other warp may see all that this one has done.
__device__ inline void publish_count(std::uint32_t* count, std::uint32_t value) {
  __syncwarp();
  if (lane_number() == 0) store_release_shared(count, value);
}

struct QueuedPiece {
  StagedOutput staged;
  // One of no bytes comes after the last.
  PieceOfOutput piece;
};

// In shared memory.
struct PieceQueue {
  QueueCounts counts;
  // Behind it: as many as the launch says.
  alignas(16) QueuedPiece pieces[1];
};

// Which of `count` pieces of memory belongs to the next piece of a chunk.
class QueuePlace {
public:
  explicit __device__ QueuePlace(std::uint32_t count) : count_(count) {}

  // Of the pieces of the chunk.
  __device__ std::uint32_t number() const { return number_; }
  __device__ std::uint32_t slot() const { return slot_; }
  __device__ std::uint32_t count() const { return count_; }
  __device__ void advance() {
    ++number_;
    slot_ = slot_ + 1 == count_ ? 0 : slot_ + 1;
  }

private:
  std::uint32_t count_;
  std::uint32_t number_ = 0;
  std::uint32_t slot_ = 0;
};

// The side of the warp that decodes: what decode_substreams() takes.
class GivenPieces {
public:
  __device__ GivenPieces(PieceQueue& queue, std::uint32_t count) : queue_(queue), place_(count) {}

  __device__ StagedOutput& next() {
    // All of the memory may have pieces that are not written.
    if (place_.number() >= place_.count()) wait_for_written(place_.number() + 1 - place_.count());
    return queue_.pieces[place_.slot()].staged;
  }
  __device__ void give(const PieceOfOutput& piece) {
    if (lane_number() == 0) queue_.pieces[place_.slot()].piece = piece;
    place_.advance();
    publish_count(&queue_.counts.given, place_.number());
  }
  __device__ void finish() { wait_for_written(place_.number()); }

  // To be called after the last piece: lets the other warp end.
  __device__ void end() {
    finish();
    give({.place = 0, .bytes = 0, .matches = 0});
  }

private:
  __device__ void wait_for_written(std::uint32_t count) {
    if (seen_ >= count) return;
    wait_for_count(&queue_.counts.written, count);
    seen_ = count;
  }

  PieceQueue& queue_;
  QueuePlace place_;
  // Pieces that are known to be written.
  std::uint32_t seen_ = 0;
};

// All lanes of the other warp: completes and writes the pieces of a chunk until the end.
template <typename Chains>
__device__ inline void write_given_pieces(PieceQueue& queue, std::uint32_t count, std::uint8_t* output) {
  for (QueuePlace place(count);;) {
    QueuedPiece& queued = queue.pieces[place.slot()];
    place.advance();
    wait_for_count(&queue.counts.given, place.number());
    if (queued.piece.bytes == 0) return;
    write_piece<Chains>(queued.staged, queued.piece, output);
    publish_count(&queue.counts.written, place.number());
  }
}

}  // namespace
}  // namespace gsst::codag
