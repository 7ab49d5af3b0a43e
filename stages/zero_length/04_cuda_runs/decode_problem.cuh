#pragma once

#include <cstdint>

#include "common/format/zero_length/zero_length.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"

namespace gsst::zero_length::decoder {
namespace {

using format::zero_length::Status;

// Which rule the elements of a block break first, read one after the other by one thread.
__device__ inline Status first_problem(const stage::BlockOnDevice& block) {
  std::uint32_t left = block.uncompressed_bytes;
  for (std::uint32_t next = 0; next < block.payload_bytes;) {
    std::uint32_t count = 1;
    if (block.payload[next++] == format::zero_length::marker) {
      if (next == block.payload_bytes) return Status::marker_at_end;
      const std::uint8_t length = block.payload[next++];
      if (length > format::zero_length::longest_run) return Status::unused_length;
      if (length != format::zero_length::literal_marker) count = length;
    }
    if (count > left) return Status::output_too_long;
    left -= count;
  }
  return left == 0 ? Status::decoded : Status::output_too_short;
}

}  // namespace
}  // namespace gsst::zero_length::decoder
