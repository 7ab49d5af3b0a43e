#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/tiles/match_index.hpp"

/// Input parsed greedily by each instruction set. All give the same codes.
namespace gsst::cpu::tiles {

/// Input in segments, which are parsed for themselves: no symbol crosses their borders.
struct SegmentedInput {
  const std::uint8_t* bytes;
  std::size_t size;
  /// Bytes of each segment but the last.
  std::size_t segment_bytes;
};

/// Where the codes of the segments go: those of segment i from codes + i * room on.
struct SegmentedCodes {
  std::uint8_t* codes;
  /// At least segment_room() of the input's segments.
  std::size_t room;
  /// For each segment the bytes that its codes take.
  std::uint32_t* sizes;
};

/// Bytes that a segment's codes may take while they are written.
constexpr std::size_t segment_room(std::size_t segment_bytes) {
  return 2 * segment_bytes + 64;
}

using ParseSegments = void(const MatchIndex& index, const SegmentedInput& input,
                           const SegmentedCodes& output);

/// In C++ alone.
ParseSegments parse_segments_portable;
#if defined(__x86_64__)
/// BMI2.
ParseSegments parse_segments_avx2;
#endif

}  // namespace gsst::cpu::tiles
