#pragma once

#include <cstddef>
#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/stage.hpp"
#include "gsst/gsst.h"

/// Decodes byte ranges of a frame of format splits or tiles, and not the rest, in the executor's memory.
namespace gsst::library {

/// What a range's status word becomes that reaches out of the frame's output, and out of the caller's; no
/// stage::BlockStatus.
inline constexpr std::uint32_t outside_frame_status = 253;
inline constexpr std::uint32_t outside_output_status = 254;

/// All pointers are in the executor's memory.
struct RangeDecode {
  /// A checked frame of format splits or tiles.
  stage::FrameOnDevice frame;
  /// Uncompressed bytes of every block but the last.
  std::uint64_t block_bytes;
  /// range_count ranges, at least one, aligned to 8.
  const gsst_range* ranges;
  std::uint64_t range_count;
  /// output_bytes bytes at any address. Ranges must not share bytes of it.
  std::uint8_t* output;
  std::uint64_t output_bytes;
  /// range_scratch_words() words; what they hold does not matter.
  std::uint64_t* scratch;
  /// A word for each range, set to a stage::BlockStatus or one of the two above.
  std::uint32_t* status;
};

/// Whether ranges of this format can be decoded.
constexpr bool has_range_decoder(format::BlockFormat format) {
  return format == format::BlockFormat::splits || format == format::BlockFormat::tiles;
}

/// Ranges whose work is counted together.
inline constexpr std::uint32_t group_ranges = 256;

/// Most ranges that are decoded in one go: more would be more groups than a grid has thread blocks.
inline constexpr std::uint64_t max_range_count = std::uint64_t{1} << 38;

/// Words of scratch memory for `range_count` ranges: one for each of them, for each group and for the sum.
inline std::uint64_t range_scratch_words(std::uint64_t range_count) {
  return range_count + format::part_size(range_count, group_ranges) + 1;
}

/// Enqueues the decoding on `stream`, a cudaStream_t for Executor::gpu: allocates nothing, waits for nothing.
template <stage::Executor RunsOn>
void enqueue_range_decode(const RangeDecode& request, void* stream);

template <>
void enqueue_range_decode<stage::Executor::gpu>(const RangeDecode& request, void* stream);
template <>
void enqueue_range_decode<stage::Executor::simt>(const RangeDecode& request, void* stream);

}  // namespace gsst::library
