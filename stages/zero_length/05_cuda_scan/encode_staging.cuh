#pragma once

#include <cstddef>
#include <cstdint>

#include "stages/zero_length/05_cuda_scan/encode_chunk.cuh"
#include "stages/zero_length/05_cuda_scan/encode_runs.cuh"
#include "stages/zero_length/05_cuda_scan/encode_table.cuh"

// Elements on their way to the output: a tile's are put together in shared memory and go out in vectors of 16
// bytes. Where their place is known before, they have the distance from a multiple of 16 that they have in
// the output; else they are shifted on the way out.
//
// A word of shared memory can have bytes of several threads. The thread that has its last byte stores the
// whole word. After a barrier the others store their bytes of it, and everybody the markers and lengths of
// runs, for which zeros are there until then.
namespace gsst::zero_length::encoder {
namespace {

// Writes the bytes of one thread, from front to back.
class WordWriter {
public:
  // `position`: of the first byte, in the staging.
  __device__ WordWriter(std::uint8_t* staging, std::uint32_t position)
      : staging_(staging),
        first_(position),
        next_(position / bytes_of_word * bytes_of_word),
        filled_(position % bytes_of_word * 8) {}

  // Up to 64 bits, the lowest first; those of `low` and `high` after the last one are 0.
  __device__ void put(std::uint32_t low, std::uint32_t high, std::uint32_t bits) {
    const std::uint32_t first = word_ | low << filled_;
    const std::uint32_t second = upper_of_shifted(low, high, filled_);
    const std::uint32_t third = upper_of_shifted(high, 0, filled_);
    filled_ += bits;
    auto* const words = reinterpret_cast<std::uint32_t*>(staging_ + next_);
    word_ = first;
    if (filled_ >= 32) {
      words[0] = first;
      word_ = second;
    }
    if (filled_ >= 64) {
      words[1] = second;
      word_ = third;
    }
    next_ += filled_ / 32 * bytes_of_word;
    filled_ %= 32;
  }

  // Stores the bytes of the last word, which another thread has stored by now, or nobody. At most three.
  __device__ void store_rest() const {
#pragma unroll
    for (std::uint32_t byte = 0; byte < bytes_of_word - 1; ++byte) {
      if (next_ + byte >= first_ && byte * 8 < filled_) {
        staging_[next_ + byte] = static_cast<std::uint8_t>(word_ >> (8 * byte));
      }
    }
  }

private:
  std::uint8_t* staging_;
  std::uint32_t first_;
  std::uint32_t next_;
  // Bits of word_ that are there, or are another thread's.
  std::uint32_t filled_;
  std::uint32_t word_ = 0;
};

constexpr std::uint32_t bits_of_pick_shift = 16;

// The entry at byte `offset` of a table.
__device__ inline Pick pick_at(const PickTable& table, std::uint32_t offset) {
  return *reinterpret_cast<const Pick*>(reinterpret_cast<const std::uint8_t*>(&table) + offset);
}

constexpr unsigned pair_bytes = 2 * bytes_of_word;
// Where an index is in the offset of an entry.
constexpr unsigned index_shift = 3;
static_assert(sizeof(Pick) == 1 << index_shift);

// The bits of `bits` from bit `first` on, as an index of an entry has them from its bit `to` on.
template <unsigned Count>
__device__ std::uint32_t offset_bits(std::uint32_t bits, unsigned first, unsigned to) {
  constexpr std::uint32_t mask = (1U << Count) - 1;
  const unsigned shifted = index_shift + to;
  return (first < shifted ? bits << (shifted - first) : bits >> (first - shifted)) & mask << shifted;
}

__device__ inline void put_pick(WordWriter& writer, const Pick& pick, std::uint32_t low, std::uint32_t high) {
  writer.put(pick_bytes(low, high, pick.first_and_bits), pick_bytes(low, high, pick.second),
             pick.first_and_bits >> bits_of_pick_shift);
}

// All lanes of a warp: the elements of their chunks, with zeros for markers and lengths of runs.
__device__ inline void put_chunk(WordWriter& writer, const PickTables& tables, const Chunk& chunk,
                                 const ElementBits& elements) {
#pragma unroll
  for (unsigned pair = 0; pair < chunk_bytes / pair_bytes; ++pair) {
    const unsigned first = pair * pair_bytes;
    const std::uint32_t low = chunk.words[std::size_t{2} * pair];
    const std::uint32_t high = chunk.words[std::size_t{2} * pair + 1];
    if (__any_sync(every_lane, (elements.markers & 0xffU << first) != 0)) {
#pragma unroll
      for (unsigned byte = first; byte < first + pair_bytes; byte += bytes_of_word) {
        const std::uint32_t offset = offset_bits<bytes_of_word>(elements.dropped, byte, 0) |
                                     offset_bits<bytes_of_word>(elements.markers, byte, bytes_of_word);
        put_pick(writer, pick_at(tables.of_word, offset), byte == first ? low : high, 0);
      }
    } else {
      put_pick(writer, pick_at(tables.of_pair, offset_bits<pair_bytes>(elements.dropped, first, 0)), low,
               high);
    }
  }
}

// The markers and lengths of runs, of a chunk whose elements start at `first`.
__device__ inline void store_runs(std::uint8_t* first, const ElementBits& elements) {
  for (std::uint32_t left = elements.lengths(); left != 0; left &= left - 1) {
    const std::uint32_t bit = chunk_bytes - 1 - leading_zeros(left & (~left + 1));
    std::uint8_t* const length = first + elements.bytes_below(bit);
    *length = static_cast<std::uint8_t>(elements.length_at(bit));
    // The marker of the first byte's length is the last byte of the chunk before.
    if (bit != 0) length[-1] = format::zero_length::marker;
  }
  if (elements.ends_with_marker()) first[elements.bytes() - 1] = format::zero_length::marker;
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

// 16 bytes of `low` and `high` in a row, from byte 4 * `Words` + `bits` / 8 on.
template <unsigned Words>
__device__ Vector shifted_vector(const Vector& low, const Vector& high, std::uint32_t bits) {
  std::uint32_t words[words_of_vector + 1];
#pragma unroll
  for (unsigned word = 0; word <= words_of_vector; ++word) {
    const unsigned from = Words + word;
    words[word] = from < words_of_vector ? low.words[from] : high.words[from - words_of_vector];
  }
  Vector shifted;
#pragma unroll
  for (unsigned word = 0; word < words_of_vector; ++word) {
    shifted.words[word] = __funnelshift_r(words[word], words[word + 1], bits);
  }
  return shifted;
}

// Vectors `first` to before `end` of the output, each of two of the staging: vector i of the output begins at
// byte 4 * `Words` + `bits` / 8 of vector i - 1 of the staging.
template <unsigned Words>
__device__ void copy_shifted_vectors(Vector* output, const Vector* staging, std::uint32_t first,
                                     std::uint32_t end, std::uint32_t bits) {
  for (std::uint32_t vector = first + threadIdx.x; vector < end; vector += blockDim.x) {
    output[vector] = shifted_vector<Words>(staging[vector - 1], staging[vector], bits);
  }
}

// As copy_to_output() for bytes from the start of the staging on: they go to an address that was not known
// when they were put there.
__device__ inline void copy_shifted_to_output(std::uint8_t* output, const std::uint8_t* staging,
                                              std::uint32_t bytes) {
  const auto distance = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(output) % vector_bytes);
  if (distance == 0) {
    copy_to_output(output, staging, 0, bytes);
    return;
  }
  // Vector 0 of the output holds bytes of others. Of the next ones those are copied whole whose bytes are in
  // vectors of the staging that are filled.
  constexpr std::uint32_t first_whole = 1;
  const std::uint32_t end_of_whole = bytes / vector_bytes > first_whole ? bytes / vector_bytes : first_whole;
  auto* const to = reinterpret_cast<Vector*>(output - distance);
  const auto* const from = reinterpret_cast<const Vector*>(staging);
  const std::uint32_t shift = vector_bytes - distance;
  const std::uint32_t bits = shift % bytes_of_word * 8;
  switch (shift / bytes_of_word) {
    case 0:
      copy_shifted_vectors<0>(to, from, first_whole, end_of_whole, bits);
      break;
    case 1:
      copy_shifted_vectors<1>(to, from, first_whole, end_of_whole, bits);
      break;
    case 2:
      copy_shifted_vectors<2>(to, from, first_whole, end_of_whole, bits);
      break;
    default:
      copy_shifted_vectors<3>(to, from, first_whole, end_of_whole, bits);
  }
  // A warp for each end: up to 15 bytes before the first whole vector, and up to 30 after the last one.
  const unsigned lane = threadIdx.x % lanes_of_warp;
  const std::uint32_t rest = end_of_whole * vector_bytes - distance;
  if (threadIdx.x < lanes_of_warp) {
    if (lane < shift && lane < bytes) output[lane] = staging[lane];
  } else if (threadIdx.x < 2 * lanes_of_warp) {
    if (rest + lane < bytes) output[rest + lane] = staging[rest + lane];
  }
}

}  // namespace
}  // namespace gsst::zero_length::encoder
