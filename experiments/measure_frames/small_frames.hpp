#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "experiments/measure/shared/points.hpp"
#include "stages/gsst/frames/frames_check.hpp"

namespace gsst::experiments {

/// A text that is cut into pieces of `input.block_bytes`, each compressed to a frame of one block by itself.
struct SmallFrames {
  /// The frames, each at a multiple of what tiles need.
  std::vector<std::uint8_t> bytes;
  std::vector<frames::FramePlace> places;
  /// Of all frames without the gaps between them.
  std::uint64_t compressed_bytes = 0;
  /// What the plan for all of them is made of: exact, but for the largest sizes.
  frames::FramesBounds bounds = {};

  std::span<const std::uint8_t> frame(std::size_t number) const {
    return std::span(bytes).subspan(places[number].input_offset, places[number].frame_bytes);
  }
};

/// Throws InputError for a format that has no check on an executor, and where `input` does not say how many
/// bytes a block has.
SmallFrames make_small_frames(const Input& input, std::span<const std::uint8_t> text);

}  // namespace gsst::experiments
