#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/ranges.hpp"

namespace {

/// One decoding of ranges, as its kernels receive it. All pointers are in the executor's memory.
struct RangesRequest {
  /// A checked frame of format splits or tiles.
  gsst::stage::FrameOnDevice frame;
  /// Uncompressed bytes of every block but the last.
  std::uint64_t block_bytes;
  /// range_count ranges, at least one, aligned to 8.
  const gsst::stage::ByteRange* ranges;
  std::uint64_t range_count;
  /// output_bytes bytes at any address. Ranges must not share bytes of it.
  std::uint8_t* output;
  std::uint64_t output_bytes;
  /// A word for each range, for each group and for the sum; what they hold does not matter.
  std::uint64_t* scratch;
  /// A word for each range, set to a BlockStatus value or one of the two of common/stage/ranges.hpp.
  std::uint32_t* status;
};

}  // namespace
