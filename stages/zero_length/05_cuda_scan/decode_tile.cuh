#pragma once

#include <cstdint>

#include "stages/zero_length/05_cuda_scan/decode_elements.cuh"
#include "stages/zero_length/05_cuda_scan/decode_instructions.cuh"
#include "stages/zero_length/05_cuda_scan/decode_payload.cuh"

// A tile: what the threads of a thread block read of a payload at once, `Vectors` vectors each. A warp has
// consecutive vectors, row after row of 32.
namespace gsst::zero_length::decoder {
namespace {

constexpr std::uint32_t row_bytes = 32 * vector_bytes;

template <unsigned Threads, unsigned Vectors>
constexpr std::uint32_t tile_bytes = Threads* Vectors* vector_bytes;

// The calling thread's part of a tile, as it is in the payload.
template <unsigned Vectors>
struct TileInput {
  Vector vectors[Vectors];
  // The byte before the warp's part.
  std::uint32_t byte_before;

  // `offset` is that of the warp's part.
  __device__ void load(const Payload& payload, std::uint32_t offset) {
    byte_before = payload.byte_before(offset);
#pragma unroll
    for (unsigned row = 0; row < Vectors; ++row) {
      vectors[row] = payload.load(offset + row * row_bytes + threadIdx.x % 32 * vector_bytes);
    }
  }
};

// Bit of a warp's sum of lengths that says that one of them means nothing: no sum is so large.
constexpr std::uint32_t wrong_bit = std::uint32_t{1} << 31;

// What a thread knows of its tile's output, in bytes.
struct TileSums {
  // Of the warps before the thread's.
  std::uint32_t before_warp = 0;
  std::uint32_t total = 0;
  // Whether a length means nothing.
  bool is_wrong = false;
};

// `warp_totals` are what TileElements::read() returned to each warp.
template <unsigned Threads>
__device__ TileSums sums_of_tile(const std::uint32_t* warp_totals) {
  TileSums sums;
  std::uint32_t all = 0;
#pragma unroll
  for (unsigned warp = 0; warp < Threads / 32; ++warp) {
    const std::uint32_t total = warp_totals[warp];
    all |= total;
    sums.total += total & ~wrong_bit;
    if (warp < threadIdx.x / 32) sums.before_warp += total & ~wrong_bit;
  }
  sums.is_wrong = (all & wrong_bit) != 0;
  return sums;
}

// The calling thread's part of a tile, read. Bytes of its vectors that are not the payload's count as
// literals of 0: they come before all that is the payload's or after it, so that it is known how many there
// are.
template <unsigned Vectors>
struct TileElements {
  Elements vectors[Vectors];
  // From the start of the warp's output to that of each vector.
  std::uint32_t places[Vectors];

  // Reads `input`, the warp's part at `offset`. All lanes call it. Returns the bytes of the warp's output,
  // with wrong_bit.
  __device__ std::uint32_t read(const Payload& payload, const TileInput<Vectors>& input,
                                std::uint32_t offset) {
    const unsigned lane = threadIdx.x % 32;
    bool has_long_run = false;
    std::uint32_t sums[Vectors];
    // Of the last word of the row before, in its last lane.
    std::uint32_t markers_before_row = input.byte_before == format::zero_length::marker ? 0xffffffff : 0;
#pragma unroll
    for (unsigned row = 0; row < Vectors; ++row) {
      Vector vector = input.vectors[row];
      payload.clear_others(vector, offset + row * row_bytes + lane * vector_bytes);
      std::uint32_t markers[4];
#pragma unroll
      for (unsigned word = 0; word < 4; ++word) markers[word] = markers_of(vector.words[word]);
      const std::uint32_t of_lane_before =
          __shfl_sync(0xffffffff, markers[3], static_cast<int>((lane + 31) % 32));
      const std::uint32_t before = lane == 0 ? markers_before_row : of_lane_before;
      markers_before_row = of_lane_before;
#pragma unroll
      for (unsigned word = 0; word < 4; ++word) {
        read_word(vector.words[word], markers[word], word == 0 ? before : markers[word - 1], word,
                  vectors[row]);
      }
      sums[row] = vectors[row].total();
      has_long_run |= vectors[row].has_long_run();
    }
    const std::uint32_t total = find_places(sums);
    // The longest runs and lengths that mean nothing are told apart where there is either.
    if (!__any_sync(0xffffffff, has_long_run)) return total;
    bool is_wrong = false;
#pragma unroll
    for (unsigned row = 0; row < Vectors; ++row) is_wrong |= vectors[row].has_unused_length();
    return __any_sync(0xffffffff, is_wrong) ? total | wrong_bit : total;
  }

  // Places the elements, the warp's from `place` bytes after the window's start on: modulo 2^32, unless all
  // are in the window or, of bytes that are not the payload's, in the vector before it.
  __device__ void place_in(const Window& window, std::uint32_t place, bool is_all_in_window) const {
    if (!is_all_in_window) {
#pragma unroll
      for (unsigned row = 0; row < Vectors; ++row) place_some(vectors[row], place + places[row], window);
      return;
    }
#pragma unroll
    for (unsigned row = 0; row < Vectors; ++row) {
      place_all(vectors[row], SharedByte(window.bytes + static_cast<std::int32_t>(place + places[row])));
    }
  }

private:
  // Two rows share a scan: a row has at most 32 * 8 runs of 252 zeros, which is less than 2^16. It has more
  // where lengths mean nothing, and then the sums of what comes after them matter no more.
  __device__ std::uint32_t find_places(const std::uint32_t (&sums)[Vectors]) {
    std::uint32_t total = 0;
#pragma unroll
    for (unsigned row = 0; row < Vectors; row += 2) {
      const bool has_two = row + 1 < Vectors;
      const std::uint32_t both = has_two ? sums[row] | sums[row + (has_two ? 1 : 0)] << 16 : sums[row];
      const std::uint32_t until = inclusive_sum_of_warp(both);
      const std::uint32_t of_rows = __shfl_sync(0xffffffff, until, 31);
      places[row] = total + (until - both) % 65536;
      total += of_rows % 65536;
      if (!has_two) continue;
      places[row + (has_two ? 1 : 0)] = total + (until - both) / 65536;
      total += of_rows / 65536;
    }
    return total;
  }
};

}  // namespace
}  // namespace gsst::zero_length::decoder
