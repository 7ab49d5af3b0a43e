#pragma once

#include <cstdint>

#include "common/format/tile_integer/layouts.hpp"
#include "common/stage/launch.hpp"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/frame_part.cuh"

// The vertical block that a thread block decodes, a thread for each lane.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::vertical_block_values;
using format::tile_integer::vertical_lane_values;
using format::tile_integer::vertical_lanes;

struct VerticalPart {
  // 0 where the part of a block has none.
  std::uint32_t values = 0;
  // In words of the payload: of its reference, and after its last word.
  std::uint32_t start = 0;
  std::uint32_t end = 0;
  std::uint32_t width = 0;

  // A part is a vertical block of the smallest values that the frame has: the last parts of a block of larger
  // ones have none.
  __device__ VerticalPart(const FramePart& part, const ForPayload& payload, const TypeOnDevice& type) {
    const std::uint64_t first = std::uint64_t{part.number()} * vertical_block_values;
    if (first >= payload.values()) return;
    const auto left = static_cast<std::uint32_t>(payload.values() - first);
    values = left < vertical_block_values ? left : vertical_block_values;
    start = payload.start(part.number());
    end = payload.start(part.number() + 1);
    width = (end - start - type.reference_words) / vertical_lanes;
  }

  // Whether value `item` of the thread's lane exists.
  __device__ bool has(std::uint32_t item) const {
    return format::tile_integer::vertical_place(threadIdx.x, item) < values;
  }
};

}  // namespace
}  // namespace gsst::tile_integer
