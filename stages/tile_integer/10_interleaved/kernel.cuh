#pragma once

#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/frame_on_device.hpp"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/lane_values.cuh"
#include "stages/tile_integer/shared/load_block.cuh"
#include "stages/tile_integer/shared/packed_value.cuh"
#include "stages/tile_integer/shared/sum_words.cuh"
#include "stages/tile_integer/shared/warp_instructions.cuh"
#include "stages/tile_integer/shared/warp_tile.cuh"

// A warp decodes an interleaved block and ends. Each lane has words of its own, next to those of the other
// lanes: no shared memory, no shuffle, and where values of a lane begin is known to the compiler.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::interleaved_block_values;
using format::tile_integer::interleaved_lane_values;
using format::tile_integer::interleaved_lanes;
using format::tile_integer::interleaved_neighbours;
using format::tile_integer::interleaved_place;
static_assert(interleaved_lanes == lanes_of_warp);

// What a warp decodes.
struct InterleavedBlock {
  const std::uint8_t* payload;
  // Where its values go, and how many there are.
  std::uint8_t* output;
  std::uint32_t values;
  // In words of the payload: of its reference.
  std::uint32_t start;
  std::uint32_t width;
};

// The words of a lane, from the payload.
class LaneWords {
public:
  // `first`: of the lane, by its number in the payload.
  __device__ LaneWords(const std::uint8_t* payload, std::uint32_t first) : payload_(payload), first_(first) {}

  __device__ std::uint32_t word(std::uint32_t number) const {
    return payload_.word(first_ + number * interleaved_lanes);
  }

private:
  ForPayload payload_;
  std::uint32_t first_;
};

// All lanes: finds the warp's interleaved block, and does what a block's first warp does: its status and the
// bytes that are no whole value. Whether there is something to decode, as find_tile() has it.
template <std::uint32_t ValueBytes, bool IsAligned>
__device__ inline bool find_interleaved_block(const stage::FrameOnDevice& frame, std::uint8_t* output,
                                              std::uint32_t* status, InterleavedBlock& found) {
  constexpr auto header_words =
      static_cast<std::uint32_t>(format::tile_integer::header_bytes / format::tile_integer::word_bytes);
  const std::uint32_t lane = lane_number();
  const std::uint32_t number = blockIdx.x * (blockDim.x / lanes_of_warp) + warp_number();
  // No block is larger than the first, but one of fewer bytes than a value has a warp too.
  const std::uint32_t most_values = load_block<IsAligned>(frame, 0, output).uncompressed_bytes / ValueBytes;
  const std::uint32_t units_of_block = most_values / interleaved_block_values + 1;
  const std::uint32_t block_number = number / units_of_block;
  if (block_number >= frame.block_count) return false;
  const std::uint32_t unit = number % units_of_block;
  const stage::BlockOnDevice block = load_block<IsAligned>(frame, block_number, output);
  const std::uint32_t values = block.uncompressed_bytes / ValueBytes;
  const std::uint32_t units = (values + interleaved_block_values - 1) / interleaved_block_values;
  if (unit != 0 && unit >= units) return false;
  // One load: lanes 0 and 1 read the starts, lane 2 the end of the last unit, all others the header's first
  // word. A raw block, or one of other values, may have no bytes where starts would be.
  const std::uint32_t start_number = header_words + (lane < 2 ? unit + lane : units);
  const bool has_start = lane < 3 && start_number < block.payload_bytes / format::tile_integer::word_bytes;
  const std::uint32_t word = load_payload_word<IsAligned>(block.payload, has_start ? start_number : 0);
  const std::uint32_t header = __shfl_sync(every_lane, word, static_cast<int>(lanes_of_warp - 1));
  if (!has_size<ValueBytes>(header & 0xff) || block.layout == format::BlockLayout::raw) return false;
  found.start = __shfl_sync(every_lane, word, 0);
  const std::uint32_t next = __shfl_sync(every_lane, word, 1);
  const std::uint32_t last = __shfl_sync(every_lane, word, 2);
  if (unit == 0) {
    if (lane == 0) status[block_number] = 0;
    if (lane < block.uncompressed_bytes % ValueBytes) {
      block.output[values * ValueBytes + lane] =
          block.payload[std::uint64_t{last} * format::tile_integer::word_bytes + lane];
    }
  }
  const std::uint32_t first = unit * interleaved_block_values;
  found.payload = block.payload;
  found.output = block.output + std::uint64_t{first} * ValueBytes;
  found.values = values - first < interleaved_block_values ? values - first : interleaved_block_values;
  found.width = (next - found.start - reference_words_of<ValueBytes>) / interleaved_lanes;
  return units != 0;
}

// Stores four neighbours, numbers 4 `step` to 4 `step` + 3 of the lane, as far as they exist.
template <std::uint32_t ValueBytes>
__device__ inline void store_neighbours(const InterleavedBlock& block, std::uint32_t step,
                                        const NumberOf<ValueBytes> (&values)[interleaved_neighbours]) {
  const std::uint32_t place = interleaved_place(lane_number(), step * interleaved_neighbours);
  std::uint8_t* const output = block.output + std::uint64_t{place} * ValueBytes;
  if (ValueBytes == 4 && reinterpret_cast<std::uintptr_t>(output) % sizeof(Words4) == 0 &&
      place + interleaved_neighbours <= block.values) {
    Words4 packed;
    for (std::uint32_t i = 0; i < 4; ++i) packed.words[i] = static_cast<std::uint32_t>(values[i]);
    store_streaming(output, packed);
    return;
  }
#pragma unroll
  for (std::uint32_t i = 0; i < interleaved_neighbours; ++i) {
    if (place + i < block.values) {
      store_value(output + std::uint64_t{i} * ValueBytes, values[i], ValueBytes);
    }
  }
}

constexpr std::uint32_t steps_of_lane = interleaved_lane_values / interleaved_neighbours;

constexpr int most_threads_of_interleaved = 256;

// Blocks of values of `ValueBytes` bytes, in frames that are aligned as for_aligned of WarpTileKernel wants
// it, or in any.
template <std::uint32_t ValueBytes, bool IsAligned>
__global__ void __launch_bounds__(most_threads_of_interleaved)
    decode_interleaved(stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status) {
  InterleavedBlock block;
  if (!find_interleaved_block<ValueBytes, IsAligned>(frame, output, status, block)) return;
  using Number = NumberOf<ValueBytes>;
  const std::uint32_t first = block.start + reference_words_of<ValueBytes> + lane_number();
  if constexpr (ValueBytes == 4 && IsAligned) {
    const auto* const words = reinterpret_cast<const std::uint32_t*>(block.payload);
    const std::uint32_t reference = words[block.start];
    at_width(block.width, [&](auto known) {
#pragma unroll
      for (std::uint32_t step = 0; step < steps_of_lane; ++step) {
        std::uint32_t values[interleaved_neighbours];
#pragma unroll
        for (std::uint32_t i = 0; i < interleaved_neighbours; ++i) {
          values[i] = reference + value_in_words<decltype(known)::value, interleaved_lanes>(
                                      words + first, step * interleaved_neighbours + i);
        }
        store_neighbours<ValueBytes>(block, step, values);
      }
    });
  } else {
    const ForPayload payload(block.payload);
    const auto reference =
        static_cast<Number>(reference_of(payload, block.start, reference_words_of<ValueBytes>));
    const LaneWords words(block.payload, first);
    for (std::uint32_t step = 0; step < steps_of_lane; ++step) {
      Number values[interleaved_neighbours];
      for (std::uint32_t i = 0; i < interleaved_neighbours; ++i) {
        const std::uint32_t bit = (step * interleaved_neighbours + i) * block.width;
        values[i] = reference + static_cast<Number>(extract_bits(words, 0, bit, block.width));
      }
      store_neighbours<ValueBytes>(block, step, values);
    }
  }
}

}  // namespace
}  // namespace gsst::tile_integer
