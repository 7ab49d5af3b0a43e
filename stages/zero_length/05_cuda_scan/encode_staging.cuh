#pragma once

#include <cstdint>

#include "stages/zero_length/05_cuda_scan/encode_chunk.cuh"
#include "stages/zero_length/05_cuda_scan/encode_runs.cuh"
#include "stages/zero_length/05_cuda_scan/encode_table.cuh"

// Elements on their way to the output: a tile's are put together in shared memory, at the distance from a
// multiple of 16 that they have in the output, and go out in vectors.
//
// A word of shared memory can have bytes of several threads. The thread that has its last byte stores the
// whole word, with 0 for the bytes of others. Behind a barrier the others add what they have, and everybody
// the markers and lengths of runs, for which 0 is there until then.
namespace gsst::zero_length::encoder {
namespace {

// Writes the bytes of one thread, from front to back.
class WordWriter {
public:
  // `position`: of the first byte, in the words.
  __device__ WordWriter(std::uint32_t* words, std::uint32_t position)
      : next_(words + position / bytes_of_word), filled_(position % bytes_of_word * 8) {}

  // Up to 64 bits, the lowest first; those of `low` and `high` behind the last one are 0.
  __device__ void put(std::uint32_t low, std::uint32_t high, std::uint32_t bits) {
    const std::uint32_t first = word_ | low << filled_;
    const std::uint32_t second = upper_of_shifted(low, high, filled_);
    const std::uint32_t third = upper_of_shifted(high, 0, filled_);
    filled_ += bits;
    if (filled_ >= 32) next_[0] = first;
    if (filled_ >= 64) next_[1] = second;
    word_ = filled_ >= 64 ? third : filled_ >= 32 ? second : first;
    next_ += filled_ / 32;
    filled_ %= 32;
  }

  // Adds what is not a whole word, once all threads have put all they have.
  __device__ void add_rest() const {
    if (filled_ != 0) atomicOr(next_, word_);
  }

private:
  std::uint32_t* next_;
  // Bits of word_ that are there, or are another thread's.
  std::uint32_t filled_;
  std::uint32_t word_ = 0;
};

constexpr std::uint32_t bits_of_pick_shift = 16;

__device__ inline void put_word(WordWriter& writer, const PickTables& tables, std::uint32_t word,
                                std::uint32_t dropped, std::uint32_t markers) {
  const Pick pick = tables.of_word[dropped | markers << bytes_of_word];
  writer.put(__byte_perm(word, 0, pick.first_and_bits), __byte_perm(word, 0, pick.second),
             pick.first_and_bits >> bits_of_pick_shift);
}

// All lanes of a warp: the elements of their chunks, with 0 for markers and lengths of runs.
__device__ inline void put_chunk(WordWriter& writer, const PickTables& tables, const Chunk& chunk,
                                 const ElementBits& elements) {
  constexpr unsigned pair_bytes = 2 * bytes_of_word;
  constexpr std::uint32_t bits_of_pair = 0xff;
  constexpr std::uint32_t bits_of_one = 0xf;
#pragma unroll
  for (unsigned pair = 0; pair < chunk_bytes / pair_bytes; ++pair) {
    const std::uint32_t dropped = elements.dropped >> (pair * pair_bytes) & bits_of_pair;
    const std::uint32_t markers = elements.markers >> (pair * pair_bytes) & bits_of_pair;
    const std::uint32_t low = chunk.words[2 * pair];
    const std::uint32_t high = chunk.words[2 * pair + 1];
    if (__any_sync(every_lane, markers != 0)) {
      put_word(writer, tables, low, dropped & bits_of_one, markers & bits_of_one);
      put_word(writer, tables, high, dropped >> bytes_of_word, markers >> bytes_of_word);
    } else {
      const Pick pick = tables.of_pair[dropped];
      writer.put(__byte_perm(low, high, pick.first_and_bits), __byte_perm(low, high, pick.second),
                 pick.first_and_bits >> bits_of_pick_shift);
    }
  }
}

__device__ inline void add_byte(std::uint32_t* words, std::uint32_t position, std::uint32_t byte) {
  atomicOr(words + position / bytes_of_word, byte << (position % bytes_of_word * 8));
}

// The markers and lengths of runs, of a chunk whose elements start at `position`.
__device__ inline void add_runs(std::uint32_t* words, std::uint32_t position, const ElementBits& elements) {
  constexpr std::uint32_t marker = format::zero_length::marker;
  for (std::uint32_t left = elements.lengths(); left != 0; left &= left - 1) {
    const std::uint32_t bit = chunk_bytes - 1 - leading_zeros(left & (~left + 1));
    const std::uint32_t length_position = position + elements.bytes_below(bit);
    // The marker of the first byte's length is the last byte of the chunk before.
    if (bit != 0) add_byte(words, length_position - 1, marker);
    add_byte(words, length_position, elements.length_at(bit));
  }
  if (elements.ends_with_marker()) add_byte(words, position + elements.bytes() - 1, marker);
}

// All threads of the block: `bytes` bytes of `staging`, from `begin` on, to `output`, where `begin` is the
// distance from a multiple of 16. `staging` is aligned to 16. Other blocks may write the bytes around them.
__device__ inline void copy_to_output(std::uint8_t* output, const std::uint8_t* staging, std::uint32_t begin,
                                      std::uint32_t bytes) {
  const std::uint32_t end = begin + bytes;
  // Position 0 of the staging.
  std::uint8_t* const start = output - begin;
  const std::uint32_t first_whole = (begin + vector_bytes - 1) / vector_bytes;
  const std::uint32_t end_of_whole = end / vector_bytes;
  for (std::uint32_t vector = first_whole + threadIdx.x; vector < end_of_whole; vector += blockDim.x) {
    reinterpret_cast<Vector*>(start)[vector] = reinterpret_cast<const Vector*>(staging)[vector];
  }
  // Half of a warp for each end.
  if (threadIdx.x >= lanes_of_warp) return;
  const std::uint32_t byte =
      threadIdx.x < vector_bytes ? threadIdx.x : end_of_whole * vector_bytes + threadIdx.x - vector_bytes;
  const std::uint32_t limit = threadIdx.x < vector_bytes ? first_whole * vector_bytes : end;
  if (byte >= begin && byte < end && byte < limit &&
      (threadIdx.x < vector_bytes || end_of_whole >= first_whole)) {
    start[byte] = staging[byte];
  }
}

}  // namespace
}  // namespace gsst::zero_length::encoder
