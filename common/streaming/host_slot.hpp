#pragma once

#include <future>

#include "common/frame/frame.hpp"
#include "common/pipeline/batch.hpp"
#include "common/pipeline/batch_slot.hpp"
#include "common/pipeline/buffer.hpp"
#include "common/pipeline/host_checksums.hpp"
#include "common/pipeline/memory_limit.hpp"
#include "common/pipeline/queue.hpp"
#include "common/pipeline/stage_run.hpp"

namespace gsst::streaming {

/// A slot with room for the batch on the host, on both of its ways. On the device that the thread which makes
/// it works on.
struct HostSlot {
  /// For batches of frames with `header`, within `memory.batch`. `run.stage` must outlive the slot. Throws
  /// cuda::CudaError, std::bad_alloc.
  HostSlot(const pipeline::StageRun& run, const format::FrameHeader& header,
           const pipeline::StreamMemory& memory);

  /// Enqueues the copy of `batch` on `copies`, a queue of the same device that its slots share, then its
  /// decoding and the copy of its output to the host. The calling thread works on the slot's device.
  void start(pipeline::Queue& copies);

  /// Host memory that the batch is read into.
  pipeline::Buffer input;
  /// Memory of the device.
  pipeline::Buffer output;
  /// Host memory that holds the batch's output once it has been decoded.
  pipeline::Buffer output_on_host;
  /// What is on its way.
  pipeline::Batch batch;
  /// Whether threads of the host compare the checksums, and not the device.
  bool compares_on_host;
  /// Where they do.
  pipeline::HostChecksums checksums;
  /// Ready when another thread has called start(), with what that threw. Not valid where the caller did.
  std::future<void> started;
  /// Last: it waits for its work before the memory goes.
  pipeline::BatchSlot slot;
};

}  // namespace gsst::streaming
