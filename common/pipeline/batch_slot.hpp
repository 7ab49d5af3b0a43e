#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "common/pipeline/batch.hpp"
#include "common/pipeline/buffer.hpp"
#include "common/pipeline/queue.hpp"
#include "common/pipeline/stage_run.hpp"

namespace gsst::pipeline {

/// Memory and a queue for one batch at a time on its way through the executor. A batch is decoded as a frame
/// of its own. Several slots work beside each other.
class BatchSlot {
public:
  /// For batches of frames with `header`, within `limits`. With `compares_checksums` the executor compares
  /// the output's checksums too; the limits then say the output's bytes. `run.stage` must outlive the slot.
  /// Throws cuda::CudaError, std::bad_alloc.
  BatchSlot(const StageRun& run, const format::FrameHeader& header, const BatchLimits& limits,
            bool compares_checksums);

  /// Enqueues the copy of `batch` on `copies`, which all slots share, and behind it, on the slot's own queue,
  /// its decoding to `output`, memory of the executor for all of the batch's output. `arrived`, if not empty,
  /// is called between the two. What the batch before left must have been finished. `batch.bytes` must stay
  /// until finish().
  void start(const Batch& batch, std::uint8_t* output, Queue& copies,
             const std::function<void()>& arrived = {});
  /// Where more work on the batch can be enqueued, to be finished with it.
  Queue& queue() { return queue_; }
  /// Waits for the batch. Throws format::FormatError naming the first block of the frame that could not be
  /// decoded, or whose checksum differs.
  void finish();

private:
  // What blocks in front of a batch hold for it takes more than its limits say.
  void make_room(std::uint64_t frame_bytes, std::uint64_t end_bytes);
  void copy_header();
  // Makes the plans for a batch of this shape, or for every batch within bounds of it.
  void make_plans(const stage::FrameOnDevice& frame);

  StageRun run_;
  format::FrameHeader header_;
  bool compares_checksums_;
  // At most.
  std::uint64_t longest_block_bytes_;
  std::uint64_t first_block_ = 0;
  std::unique_ptr<stage::Plan> decoding_;
  // Nullptr where the executor compares none.
  std::unique_ptr<stage::Plan> checksums_;
  Buffer frame_;
  Buffer frame_end_;
  Buffer statuses_;
  Buffer statuses_on_host_;
  Buffer decoding_scratch_;
  Buffer checksums_scratch_;
  std::function<void()> arrived_;
  // Last: it waits for its work before the memory goes.
  Queue queue_;
};

}  // namespace gsst::pipeline
