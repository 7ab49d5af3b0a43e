#pragma once

#include <cstdint>

#include "common/format/block_format.hpp"
#include "common/stage/plan.hpp"

/// What decoders of byte ranges take and report: see RangesPlans in common/stage/plans_of_stage.hpp.
namespace gsst::stage {

/// Bytes of a frame's output, and where they are written in another output.
struct ByteRange {
  /// From the start of the frame's uncompressed bytes to the first byte.
  std::uint64_t offset;
  /// May be 0.
  std::uint64_t bytes;
  /// From the start of the output to where the first byte is written.
  std::uint64_t output_offset;
};

/// The status word of a range that extends past the end of the frame's output, and past the end of the
/// plan's; no BlockStatus.
inline constexpr std::uint32_t outside_frame_status = 253;
inline constexpr std::uint32_t outside_output_status = 254;

/// What `word`, the status word of range `range` of a frame of `format`, says is wrong; the word is not 0.
Problem problem_of_range(format::BlockFormat format, std::uint64_t range, std::uint32_t word);

}  // namespace gsst::stage
