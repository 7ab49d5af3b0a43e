#pragma once

#include <cstdint>

#include "common/format/zero_length/zero_length.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"

namespace gsst::zero_length::decoder {
namespace {

using format::zero_length::Status;

// Which rule the elements break first, read one after the other by one thread. `position` is the place in the
// output of what byte `first` of the payload decodes to; what comes before breaks no rule. Reads lengths
// only.
__device__ inline Status first_problem(const stage::BlockOnDevice& block, std::uint32_t first,
                                       std::uint32_t position) {
  std::uint32_t next = first;
  // Back to the start of the element.
  if (next != 0 && block.payload[next - 1] == format::zero_length::marker) --next;
  while (next < block.payload_bytes) {
    std::uint32_t count = 1;
    if (block.payload[next++] == format::zero_length::marker) {
      if (next == block.payload_bytes) return Status::marker_at_end;
      const std::uint8_t length = block.payload[next++];
      if (length > format::zero_length::longest_run) return Status::unused_length;
      if (length != format::zero_length::literal_marker) count = length;
    }
    if (count > block.uncompressed_bytes - position) return Status::output_too_long;
    position += count;
  }
  // not covered: who asks has found a problem before the end
  return position == block.uncompressed_bytes ? Status::decoded : Status::output_too_short;
}

}  // namespace
}  // namespace gsst::zero_length::decoder
