#pragma once

#include <cstdint>
#include <memory>

#include "common/stage/plan.hpp"
#include "common/stage/registry.hpp"
#include "stages/gsst/shared/frame_check.hpp"

namespace gsst::library {

/// Memory of the executor for the decompression of one frame that only the executor can read.
struct DeviceFrameMemory {
  /// frame::FrameBounds::frame_bytes bytes, at any address.
  const std::uint8_t* frame;
  /// How many of these are the frame: one word, aligned to 8.
  const std::uint64_t* frame_bytes;
  /// frame::FrameBounds::output_bytes bytes, at any address.
  std::uint8_t* output;
  /// scratch_bytes() bytes, aligned to 8; what they hold does not matter.
  std::uint8_t* scratch;
  /// frame::FrameBounds::block_count words, set to stage::BlockStatus values, frame::refused_frame_status or
  /// frame::refused_block_status; 0 behind the frame's last block.
  std::uint32_t* status;
  /// Aligned to 8.
  frame::FrameResult* result;
};

/// Whether the check of frames in an executor's memory knows the blocks of `format`.
bool checks_frames_of(format::BlockFormat format);

/// Decompresses frames of which no more is known than their bounds, in an executor's memory.
class DeviceFramePlan {
public:
  /// Throws std::invalid_argument for bounds that no frame can have.
  DeviceFramePlan(stage::Executor executor, const frame::FrameBounds& bounds, bool verify_checksums);

  const frame::FrameBounds& bounds() const { return bounds_; }
  std::uint64_t scratch_bytes() const;
  int minimum_compute_capability() const { return stage_->description.minimum_compute_capability; }

  /// Enqueues the check and the decompression on `stream`: allocates nothing, waits for nothing.
  void enqueue(const DeviceFrameMemory& memory, stage::Stream stream) const;

private:
  stage::FrameOnDevice shape() const;
  frame::FrameCheck frame_check(const DeviceFrameMemory& memory) const;

  frame::FrameBounds bounds_;
  const stage::RegisteredStage* stage_;
  frame::FrameCheckKernels kernels_;
  std::unique_ptr<stage::Plan> decoding_;
  // Nullptr where none are compared.
  std::unique_ptr<stage::Plan> checksums_;
  // Bytes of the scratch memory, in its order; what the check writes is after them.
  std::uint64_t stage_bytes_ = 0;
  std::uint64_t checksum_bytes_ = 0;
};

}  // namespace gsst::library
