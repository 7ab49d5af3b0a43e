#pragma once

#include <cstdint>

#include "common/device/look_back.cuh"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/zero_length/05_cuda_scan/decode_problem.cuh"
#include "stages/zero_length/05_cuda_scan/decode_raw_block.cuh"
#include "stages/zero_length/05_cuda_scan/decode_tile_output.cuh"
#include "stages/zero_length/05_cuda_scan/decode_tile_slots.cuh"

/// Step 2: the tiles of a block are spread over thread blocks, which learn by look-back where their output
/// goes.
namespace gsst::zero_length::decoder {
namespace {
namespace spread_tiles {

constexpr unsigned threads = 128;
constexpr unsigned vectors = 4;
// Threads of a multiprocessor that registers must suffice for: with more, some would be spilled.
constexpr unsigned least_resident_threads = 896;
static_assert(tile_bytes<threads, vectors> == slot_bytes);

// More than a block has: the sum from the start on that a tile with a length that means nothing publishes, so
// that no tile after it decodes.
constexpr std::uint64_t sum_after_problem = std::uint64_t{1} << 40;

// What precedes the window in shared memory.
struct alignas(vector_bytes) SharedOfTile {
  Shared<threads> tile;
  std::uint64_t before;
  TileSlot slot;
  unsigned ticket;
};

constexpr std::uint32_t shared_bytes_of_tile =
    sizeof(SharedOfTile) + OutputWindow<threads>::window_bytes(window_capacity<threads, vectors>);

// Bytes of the block's output before the tile; more than a block has where a tile before found a problem. All
// threads call it and get the same. `states` are those of the block's tiles.
__device__ std::uint64_t find_bytes_before(const TileSums& sums, std::uint64_t* states, std::uint32_t tile,
                                           std::uint64_t& shared_before) {
  if (threadIdx.x < 32) {
    std::uint64_t* const state = &states[tile];
    if (threadIdx.x == 0) {
      if (sums.is_wrong) {
        device::publish_sum_from_start(state, sum_after_problem);
      } else if (tile == 0) {
        device::publish_sum_from_start(state, sums.total);
      } else {
        device::publish_sum_of_tile(state, sums.total);
      }
    }
    const std::uint64_t before = device::sum_before_tile(states, tile);
    if (threadIdx.x == 0) {
      if (!sums.is_wrong && tile != 0) device::publish_sum_from_start(state, before + sums.total);
      shared_before = before;
    }
  }
  __syncthreads();
  return shared_before;
}

// The status of the block as far as this tile knows: a problem in it, or that the output is too short. That
// of the first thread counts.
__device__ Status decode_elements(const stage::BlockOnDevice& block, std::uint32_t tile,
                                  std::uint64_t* states, SharedOfTile& shared, std::uint8_t* window) {
  const Payload payload(block.payload, block.payload_bytes);
  const std::uint32_t offset = tile * slot_bytes;
  const std::uint32_t warp_offset = offset + threadIdx.x / 32 * vectors * row_bytes;
  TileInput<vectors> input;
  input.load(payload, warp_offset);
  OutputWindow<threads>::clear(window, window_capacity<threads, vectors>);
  TileElements<vectors> elements;
  const std::uint32_t of_warp = elements.read(payload, input, warp_offset);
  if (threadIdx.x % 32 == 0) shared.tile.warp_totals[threadIdx.x / 32] = of_warp;
  __syncthreads();
  TileSums sums = sums_of_tile<threads>(shared.tile.warp_totals);
  const std::uint32_t all_bytes = sums.total;
  // Bytes of the tile that are not the payload's.
  const std::uint32_t head = tile == 0 ? payload.begin() : 0;
  const bool is_last = offset + slot_bytes >= payload.end();
  sums.total -= head + (is_last ? offset + slot_bytes - payload.end() : 0);

  const std::uint64_t before = find_bytes_before(sums, states, tile, shared.before);
  if (before > block.uncompressed_bytes) return Status::decoded;
  const auto position = static_cast<std::uint32_t>(before);
  const bool ends_with_marker =
      is_last && block.payload[block.payload_bytes - 1] == format::zero_length::marker;
  if (sums.is_wrong || sums.total > block.uncompressed_bytes - position || ends_with_marker) {
    if (threadIdx.x != 0) return Status::decoded;
    return first_problem(block, tile == 0 ? 0 : offset - payload.begin(), position);
  }
  OutputWindow<threads> output(window, window_capacity<threads, vectors>, block.output + position);
  const std::uint32_t place = output.begin() - head;
  const std::uint32_t end = output.begin() + sums.total;
  place_and_write(elements, output, place + sums.before_warp, place + all_bytes, end);
  __syncthreads();
  output.write_rest(end);
  return is_last && position + sums.total != block.uncompressed_bytes ? Status::output_too_short
                                                                      : Status::decoded;
}

// `output` and `status` as in DecodeRequest; status is 0 before. As many thread blocks as the frame has
// slots, of `threads` threads, with shared_bytes_of_tile of shared memory. `work` is zero before.
__global__ __launch_bounds__(threads, least_resident_threads / threads) void decode_tiles(
    stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status, TileWork work) {
  GSST_SHARED_MEMORY(memory);
  auto& shared = *reinterpret_cast<SharedOfTile*>(memory);
  const std::uint32_t ticket = device::ticket_of_block(work.tickets, &shared.ticket);
  if (threadIdx.x < 32) {
    const TileSlot slot = find_slot(frame, ticket);
    if (threadIdx.x == 0) {
      shared.slot = slot;
      shared.tile.block = BlockPlace(frame, slot.block);
    }
  }
  __syncthreads();
  const TileSlot slot = shared.slot;
  const stage::BlockOnDevice block = shared.tile.block.in(frame, output);
  const std::uint32_t begin = slot.tile * slot_bytes;
  Status result = Status::decoded;
  if (block.layout == format::BlockLayout::raw) {
    if (begin >= block.uncompressed_bytes) return;
    const std::uint32_t left = block.uncompressed_bytes - begin;
    copy_raw_part(block, begin, begin + (left < slot_bytes ? left : slot_bytes), threadIdx.x, threads);
  } else if (begin < Payload(block.payload, block.payload_bytes).end()) {
    result = decode_elements(block, slot.tile, work.states + (ticket - slot.tile), shared,
                             memory + sizeof(SharedOfTile));
  }
  if (threadIdx.x == 0 && result != Status::decoded) {
    status[slot.block] = static_cast<std::uint32_t>(result);
  }
}

}  // namespace spread_tiles
}  // namespace
}  // namespace gsst::zero_length::decoder
