#pragma once

#include <cstdint>

#include "common/frame/checksum_check.hpp"
#include "common/stage/registry.hpp"
#include "library/frame_check.hpp"

namespace gsst::library {

/// Memory of the executor for the decompression of one frame that only the executor can read.
struct DeviceFrameMemory {
  /// FrameBounds::frame_bytes bytes, at any address.
  const std::uint8_t* frame;
  /// How many of these are the frame: one word, aligned to 8.
  const std::uint64_t* frame_bytes;
  /// FrameBounds::output_bytes bytes, at any address.
  std::uint8_t* output;
  /// scratch_bytes() bytes, aligned to 8; what they hold does not matter.
  std::uint8_t* scratch;
  /// FrameBounds::block_count words, set to stage::BlockStatus values, refused_frame_status or
  /// refused_block_status; 0 behind the frame's last block.
  std::uint32_t* status;
  /// Aligned to 8.
  FrameResult* result;
};

/// Decompresses frames of which no more is known than their bounds, in an executor's memory.
class DeviceFramePlan {
public:
  /// Throws std::invalid_argument for bounds that no frame can have.
  DeviceFramePlan(stage::Executor executor, const FrameBounds& bounds, bool verify_checksums);

  const FrameBounds& bounds() const { return bounds_; }
  std::uint64_t scratch_bytes() const;
  int minimum_compute_capability() const { return stage_->description.minimum_compute_capability; }

  /// Enqueues the check and the decompression on `stream`, a cudaStream_t for Executor::gpu: allocates
  /// nothing, waits for nothing. The plan is for this executor.
  template <stage::Executor RunsOn>
  void enqueue(const DeviceFrameMemory& memory, void* stream) const {
    const FrameCheck check = frame_check(memory);
    enqueue_frame_check<RunsOn>(check, stream);
    stage_->decode.at(RunsOn)({.frame = checked_frame(check),
                               .output = memory.output,
                               .status = memory.status,
                               .scratch = memory.scratch,
                               .parameters = {},
                               .stream = stream});
    if (verify_checksums_) frame::enqueue_checksum_check<RunsOn>(checksum_check(memory, check), stream);
    enqueue_frame_result<RunsOn>(check, memory.result, memory.status, stream);
  }

private:
  std::uint64_t pieces_per_block() const;
  FrameCheck frame_check(const DeviceFrameMemory& memory) const;
  stage::FrameOnDevice checked_frame(const FrameCheck& check) const;
  frame::ChecksumCheck checksum_check(const DeviceFrameMemory& memory, const FrameCheck& check) const;

  FrameBounds bounds_;
  bool verify_checksums_;
  const stage::RegisteredStage* stage_;
  // Bytes of the scratch memory, in its order; what the check writes is behind them.
  std::uint64_t stage_bytes_ = 0;
  std::uint64_t checksum_bytes_ = 0;
};

}  // namespace gsst::library
