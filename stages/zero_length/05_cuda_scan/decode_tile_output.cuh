#pragma once

#include <cstdint>

#include "stages/zero_length/05_cuda_scan/decode_block_place.cuh"
#include "stages/zero_length/05_cuda_scan/decode_output.cuh"
#include "stages/zero_length/05_cuda_scan/decode_tile.cuh"

// What the kernels of both steps have in shared memory, and how a tile's output is written.
namespace gsst::zero_length::decoder {
namespace {

// Bytes of output that a thread block puts together at once: a tile's, unless runs make it more than twice as
// long.
template <unsigned Threads, unsigned Vectors>
constexpr std::uint32_t window_capacity = 2 * tile_bytes<Threads, Vectors>;

// What precedes the window in shared memory.
template <unsigned Threads>
struct alignas(vector_bytes) Shared {
  // Bytes of each warp's output of the tile, with wrong_bit.
  std::uint32_t warp_totals[Threads / 32];
  BlockPlace block;
};

// Bytes of shared memory of a thread block.
template <unsigned Threads, unsigned Vectors>
constexpr std::uint32_t shared_bytes =
    sizeof(Shared<Threads>) + OutputWindow<Threads>::window_bytes(window_capacity<Threads, Vectors>);

// Writes the output of a tile but for its last, unfinished vector. `place` is that of the warp's first byte;
// bytes that are not the payload's have places up to `tile_end`, and the output ends at `end`. All threads
// call it, after a barrier since the window was used.
template <unsigned Threads, unsigned Vectors>
__device__ void place_and_write(const TileElements<Vectors>& elements, OutputWindow<Threads>& output,
                                std::uint32_t place, std::uint32_t tile_end, std::uint32_t end) {
  const bool has_room = output.has_room_until(tile_end);
  while (!output.has_room_until(end)) {
    elements.place_in(output.window(), place - output.front(), false);
    __syncthreads();
    output.write_until(end);
    __syncthreads();
  }
  elements.place_in(output.window(), place - output.front(), has_room);
  __syncthreads();
  output.write_until(end);
}

}  // namespace
}  // namespace gsst::zero_length::decoder
