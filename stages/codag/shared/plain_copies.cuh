#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/shared/plain_values.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// Bytes for OutputStream: PlainValues, and copies of earlier output, a byte for each lane.
namespace gsst::codag {
namespace {

// All lanes of a warp together.
class PlainCopies : public PlainValues<> {
public:
  // From `output` on, at any address.
  explicit __device__ PlainCopies(std::uint8_t* output) : PlainValues<>(output, 1), output_(output) {}

  // As WordBytes has them.
  __device__ void copy(std::uint32_t first, std::uint32_t offset, std::uint32_t count) const {
    const std::uint8_t* const source = output_ + first - offset;
    // Other lanes have written the source.
    __syncwarp();
    for (std::uint32_t i = lane_number(); i < count; i += lanes_of_warp) {
      output_[first + i] = source[offset < count ? i % offset : i];
    }
  }
  __device__ void write_bytes(std::uint32_t first, const std::uint8_t* bytes, std::uint32_t count) const {
    for (std::uint32_t i = lane_number(); i < count; i += lanes_of_warp) output_[first + i] = bytes[i];
  }

private:
  std::uint8_t* output_;
};

}  // namespace
}  // namespace gsst::codag
