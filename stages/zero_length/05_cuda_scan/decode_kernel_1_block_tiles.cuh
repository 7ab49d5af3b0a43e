#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/zero_length/05_cuda_scan/decode_problem.cuh"
#include "stages/zero_length/05_cuda_scan/decode_raw_block.cuh"
#include "stages/zero_length/05_cuda_scan/decode_tile_output.cuh"

/// Step 1: a thread block decodes a block of the frame, tile after tile.
namespace gsst::zero_length::decoder {
namespace {
namespace block_tiles {

// Threads of a multiprocessor that registers must suffice for: with more, some of the 80 that four vectors
// take would be spilled.
template <unsigned Vectors>
constexpr unsigned least_resident_threads = Vectors == 4 ? 768 : 1024;

// The status of `block`, which has elements. All threads return the same, but where a rule is broken before
// the output's end: the first thread alone finds out which.
template <unsigned Threads, unsigned Vectors>
__device__ Status decode_elements(const stage::BlockOnDevice& block, std::uint32_t* warp_totals,
                                  std::uint8_t* window) {
  const unsigned warp = threadIdx.x / 32;
  const Payload payload(block.payload, block.payload_bytes);
  OutputWindow<Threads>::clear(window, window_capacity<Threads, Vectors>);
  OutputWindow<Threads> output(window, window_capacity<Threads, Vectors>, block.output);
  const bool ends_with_marker = block.payload[block.payload_bytes - 1] == format::zero_length::marker;
  // Of the tile's first byte. In the first tile, bytes before the payload take places too.
  std::uint32_t place = output.begin() - payload.begin();
  std::uint32_t warp_offset = warp * Vectors * row_bytes;
  TileInput<Vectors> input;
  input.load(payload, warp_offset);
  for (std::uint32_t tile = 0; tile < payload.end(); tile += tile_bytes<Threads, Vectors>) {
    TileElements<Vectors> elements;
    const std::uint32_t of_warp = elements.read(payload, input, warp_offset);
    if (threadIdx.x % 32 == 0) warp_totals[warp] = of_warp;
    warp_offset += tile_bytes<Threads, Vectors>;
    // Under way while this tile is placed and written.
    input.load(payload, warp_offset);
    // Also for the window, which the tile before has emptied.
    __syncthreads();
    const TileSums sums = sums_of_tile<Threads>(warp_totals);
    const std::uint32_t tile_limit = tile + tile_bytes<Threads, Vectors>;
    const bool is_last = tile_limit >= payload.end();
    const std::uint32_t tile_end = place + sums.total;
    const std::uint32_t end = is_last ? tile_end - (tile_limit - payload.end()) : tile_end;
    if (sums.is_wrong || end - output.begin() > block.uncompressed_bytes || (is_last && ends_with_marker)) {
      if (threadIdx.x != 0) return Status::decoded;
      return tile == 0 ? first_problem(block, 0, 0)
                       : first_problem(block, tile - payload.begin(), place - output.begin());
    }
    place_and_write(elements, output, place + sums.before_warp, tile_end, end);
    place = end;
  }
  __syncthreads();
  output.write_rest(place);
  return place - output.begin() == block.uncompressed_bytes ? Status::decoded : Status::output_too_short;
}

// `output` and `status` as in DecodeRequest. As many thread blocks as the frame has blocks, of `Threads`
// threads, with shared_bytes of shared memory.
template <unsigned Threads, unsigned Vectors>
__global__ __launch_bounds__(Threads, least_resident_threads<Vectors> / Threads) void decode_blocks(
    stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status) {
  GSST_SHARED_MEMORY(memory);
  auto& shared = *reinterpret_cast<Shared<Threads>*>(memory);
  // One thread reads the index, whose fields are aligned to nothing.
  if (threadIdx.x == 0) shared.block = BlockPlace(frame, blockIdx.x);
  __syncthreads();
  const stage::BlockOnDevice block = shared.block.in(frame, output);
  Status result = Status::decoded;
  if (block.layout == format::BlockLayout::raw) {
    copy_raw_part(block, 0, block.uncompressed_bytes, threadIdx.x, Threads);
  } else {
    result = decode_elements<Threads, Vectors>(block, shared.warp_totals, memory + sizeof(Shared<Threads>));
  }
  if (threadIdx.x == 0) status[blockIdx.x] = static_cast<std::uint32_t>(result);
}

}  // namespace block_tiles
}  // namespace
}  // namespace gsst::zero_length::decoder
