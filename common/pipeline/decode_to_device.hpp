#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "common/pipeline/batch.hpp"
#include "common/pipeline/batch_slot.hpp"
#include "common/pipeline/queue.hpp"
#include "common/pipeline/stage_run.hpp"

namespace gsst::pipeline {

/// Called when the first `bytes` bytes of the frame's blocks have arrived, before the batch with the last of
/// them is decoded. It may take its time, as a slower interconnect would. It must not throw or use CUDA.
using ArrivalFunction = std::function<void(std::uint64_t bytes)>;

/// Decodes a frame in host memory to the executor's memory, batch by batch: the next batches arrive while one
/// is decoded (thesis, Section 3.3). Takes memory for slot_count batches of compressed blocks.
class DeviceDecoder {
public:
  /// Checks the whole frame and plans `batch_count` batches of equally many blocks, the last one may have
  /// fewer: blocks / batch_count, rounded up, so that there may be fewer batches. `frame` is host memory,
  /// page-locked for the GPU (Buffer::on_host), and must outlive the decoder, as `run.stage` must. Throws
  /// format::FormatError, std::invalid_argument, cuda::CudaError.
  DeviceDecoder(const StageRun& run, std::span<const std::uint8_t> frame, std::uint64_t batch_count);

  std::span<const Batch> batches() const { return batches_; }
  std::uint64_t uncompressed_bytes() const { return uncompressed_bytes_; }

  /// Decodes the frame to `output`, memory of the executor for uncompressed_bytes() bytes, and waits for it.
  /// `arrived` may be empty. Throws format::FormatError naming the block that could not be decoded.
  void decode(std::uint8_t* output, const ArrivalFunction& arrived = {});

private:
  std::vector<Batch> batches_;
  std::uint64_t uncompressed_bytes_ = 0;
  std::vector<std::unique_ptr<BatchSlot>> slots_;
  Queue copies_;
};

}  // namespace gsst::pipeline
