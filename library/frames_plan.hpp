#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "common/stage/plan.hpp"
#include "common/stage/registry.hpp"
#include "gsst/gsst.h"
#include "stages/gsst/frames/frames_check.hpp"

namespace gsst::library {

/// Memory of the executor for the decompression of many frames. Nothing in it overlaps.
struct FramesMemory {
  /// frames::FramesBounds::input_bytes bytes, at any address.
  const std::uint8_t* input;
  /// frames::FramesBounds::frame_count of them, aligned to 8.
  const frames::FramePlace* places;
  /// frames::FramesBounds::all_output_bytes bytes, at any address.
  std::uint8_t* output;
  /// scratch_bytes() bytes, aligned to 8; what they hold does not matter.
  std::uint8_t* scratch;
  /// A word for each block that the frames can have, as DeviceFrameMemory::status of each frame.
  std::uint32_t* status;
  /// One for each frame, aligned to 8. Problems are those of frame::FrameProblem and of
  /// frames::PlaceProblem.
  frame::FrameResult* results;
};

/// Decompresses many frames of which no more is known than their bounds, in an executor's memory: one decoder
/// and one check of checksums for the blocks of all.
class FramesPlan {
public:
  /// Throws std::invalid_argument for bounds that no frames can have.
  FramesPlan(stage::Executor executor, const frames::FramesBounds& bounds, bool verify_checksums);

  const frames::FramesBounds& bounds() const { return bounds_; }
  std::uint64_t scratch_bytes() const;
  int minimum_compute_capability() const { return stage_->description.minimum_compute_capability; }

  /// Enqueues the check and the decompression on `stream`: allocates nothing, waits for nothing.
  void enqueue(const FramesMemory& memory, stage::Stream stream) const;

private:
  stage::FrameOnDevice shape() const;
  frames::FramesCheck frames_check(const FramesMemory& memory) const;
  // Of one frame.
  std::uint64_t index_piece_bytes() const;

  frames::FramesBounds bounds_;
  const stage::RegisteredStage* stage_;
  frames::FramesCheckKernels kernels_;
  std::unique_ptr<stage::Plan> decoding_;
  // Nullptr where none are compared.
  std::unique_ptr<stage::Plan> checksums_;
  // Bytes of the scratch memory, in its order; what the check writes is after them.
  std::uint64_t stage_bytes_ = 0;
  std::uint64_t checksum_bytes_ = 0;
};

/// As error_of() and describe() for frames of a plan for one, also for frames::PlaceProblem.
gsst_error error_of_frame(frame::FrameProblem problem);
std::string describe_frame(frame::FrameProblem problem, std::optional<std::uint64_t> block);

}  // namespace gsst::library
