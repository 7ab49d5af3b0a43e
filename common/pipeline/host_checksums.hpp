#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "common/pipeline/batch.hpp"
#include "common/pipeline/queue.hpp"

namespace gsst::pipeline {

/// Compares the checksums of one batch at a time with threads of the host, beside the caller.
class HostChecksums {
public:
  /// Enqueues the comparison on `queue`. `batch` and `output`, host memory with all of the batch's output
  /// once what is in the queue now has been done, must stay until the queue has done it, as this object must.
  void enqueue(const Batch& batch, const std::uint8_t* output, Queue& queue);
  /// After the queue has done it. Throws format::FormatError for the first block whose checksum differs, and
  /// what kept the threads from starting.
  void check() const;

private:
  std::function<void()> work_;
  std::optional<std::uint64_t> wrong_block_;
  std::exception_ptr failure_;
};

}  // namespace gsst::pipeline
