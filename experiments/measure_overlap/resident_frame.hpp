#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/pipeline/batch.hpp"
#include "common/pipeline/buffer.hpp"
#include "common/pipeline/queue.hpp"
#include "common/pipeline/stage_run.hpp"
#include "common/stage/plan.hpp"

namespace gsst::experiments {

/// A whole frame in the executor's memory, for what is measured without a transfer.
class ResidentFrame {
public:
  /// Checks `frame`, host memory, and copies it. Throws format::FormatError, cuda::CudaError.
  ResidentFrame(const pipeline::StageRun& run, std::span<const std::uint8_t> frame);

  std::uint64_t uncompressed_bytes() const { return bytes_of(*plan_, stage::Role::output); }

  /// Enqueues its decoding to `output`, memory of the executor for uncompressed_bytes() bytes.
  void decode(std::uint8_t* output, pipeline::Queue& queue);

private:
  std::unique_ptr<stage::Plan> plan_;
  pipeline::Buffer frame_;
  pipeline::Buffer statuses_;
  pipeline::Buffer scratch_;
};

/// The frame that holds the blocks of `batch`, of a frame with `header`, and no others.
std::vector<std::uint8_t> frame_of(const pipeline::Batch& batch, const format::FrameHeader& header);

}  // namespace gsst::experiments
