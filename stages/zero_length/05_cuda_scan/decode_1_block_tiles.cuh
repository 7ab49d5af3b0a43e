#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/zero_length/05_cuda_scan/decode_output.cuh"
#include "stages/zero_length/05_cuda_scan/decode_problem.cuh"
#include "stages/zero_length/05_cuda_scan/decode_raw_block.cuh"
#include "stages/zero_length/05_cuda_scan/decode_tile.cuh"

/// Step 1: a thread block decodes a block of the frame, tile after tile.
namespace gsst::zero_length {
namespace {
namespace block_tiles {

// Bytes of output that a thread block puts together at once: a tile's, unless runs make it more than twice as
// long.
template <unsigned Threads, unsigned Vectors>
constexpr std::uint32_t window_capacity = 2 * tile_bytes<Threads, Vectors>;

// Bytes of shared memory before the window.
template <unsigned Threads>
struct Shared {
  stage::BlockOnDevice block;
  // Bytes of each warp's output of the tile, with wrong_bit.
  alignas(vector_bytes) std::uint32_t warp_totals[Threads / 32];
};

template <unsigned Threads, unsigned Vectors>
constexpr std::uint32_t shared_bytes =
    sizeof(Shared<Threads>) + OutputWindow::window_bytes(window_capacity<Threads, Vectors>);

// The status of the block in `shared`. All threads return the same, but for a rule that is broken before the
// output's end, which the first thread alone finds.
template <unsigned Threads, unsigned Vectors>
__device__ Status decode_elements(Shared<Threads>& shared, std::uint8_t* window) {
  const stage::BlockOnDevice& block = shared.block;
  const unsigned warp = threadIdx.x / 32;
  const Payload payload(block.payload, block.payload_bytes);
  OutputWindow output(window, window_capacity<Threads, Vectors>, block.output);
  const std::uint32_t end = output.begin() + block.uncompressed_bytes;
  const bool ends_with_marker =
      block.payload_bytes != 0 && block.payload[block.payload_bytes - 1] == format::zero_length::marker;
  std::uint32_t place = output.begin();
  std::uint32_t warp_offset = warp * Vectors * row_bytes;
  TileInput<Vectors> input;
  input.load(payload, warp_offset);
  for (std::uint32_t tile = 0; tile < payload.end(); tile += tile_bytes<Threads, Vectors>) {
    TileElements<Vectors> elements;
    const std::uint32_t of_warp = elements.read(payload, input, warp_offset);
    if (threadIdx.x % 32 == 0) shared.warp_totals[warp] = of_warp;
    warp_offset += tile_bytes<Threads, Vectors>;
    // Under way while this tile is placed and written.
    input.load(payload, warp_offset);
    // Also what empties the window.
    __syncthreads();
    std::uint32_t warp_place = place;
    std::uint32_t total = 0;
    std::uint32_t wrong = 0;
#pragma unroll
    for (unsigned other = 0; other < Threads / 32; ++other) {
      const std::uint32_t of_other = shared.warp_totals[other];
      wrong |= of_other;
      total += of_other & ~wrong_bit;
      if (other < warp) warp_place += of_other & ~wrong_bit;
    }
    const bool is_last = tile + tile_bytes<Threads, Vectors> >= payload.end();
    if ((wrong & wrong_bit) != 0 || total > end - place || (is_last && ends_with_marker)) {
      if (threadIdx.x != 0) return Status::decoded;
      const std::uint32_t first = tile == 0 ? 0 : tile - payload.begin();
      return first_problem(block, first, place - output.begin());
    }
    place += total;
    const bool has_room = output.has_room_until(place);
    while (!output.has_room_until(place)) {
      elements.place_in(output.window(), warp_place - output.front(), false);
      __syncthreads();
      output.write_until(place);
      __syncthreads();
    }
    elements.place_in(output.window(), warp_place - output.front(), has_room);
    __syncthreads();
    output.write_until(place);
  }
  __syncthreads();
  output.write_rest(place);
  return place == end ? Status::decoded : Status::output_too_short;
}

// `output` and `status` as in DecodeRequest. As many thread blocks as the frame has blocks, of `Threads`
// threads, with shared_bytes of shared memory.
template <unsigned Threads, unsigned Vectors>
__global__ __launch_bounds__(Threads) void decode_blocks(stage::FrameOnDevice frame, std::uint8_t* output,
                                                         std::uint32_t* status) {
  GSST_SHARED_MEMORY(memory);
  auto& shared = *reinterpret_cast<Shared<Threads>*>(memory);
  // One thread reads the index, whose fields are aligned to nothing.
  if (threadIdx.x == 0) shared.block = frame.block(blockIdx.x, output);
  __syncthreads();
  Status result = Status::decoded;
  if (shared.block.layout == format::BlockLayout::raw) {
    copy_raw_part(shared.block, 0, shared.block.uncompressed_bytes, threadIdx.x, Threads);
  } else {
    result = decode_elements<Threads, Vectors>(shared, memory + sizeof(Shared<Threads>));
  }
  if (threadIdx.x == 0) status[blockIdx.x] = static_cast<std::uint32_t>(result);
}

}  // namespace block_tiles
}  // namespace
}  // namespace gsst::zero_length
