#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "common/pipeline/batch.hpp"
#include "common/pipeline/frame_reader.hpp"
#include "common/pipeline/stage_run.hpp"

namespace gsst::pipeline {

/// Takes the output of `batch`, host memory that holds it during the call only. Batches come in order.
using WriteFunction = std::function<void(const Batch& batch, std::span<const std::uint8_t> output)>;

/// Counts of what went in and out so far.
struct StreamTotals {
  std::uint64_t input_bytes = 0;
  std::uint64_t output_bytes = 0;
  std::uint64_t blocks = 0;
};
/// Called after each batch. Empty if nobody wants to know.
using ProgressFunction = std::function<void(const StreamTotals&)>;

struct StreamOptions {
  /// Most memory for the data on its way: so much on the device, and so much page-locked memory of the host
  /// (memory_limit.hpp). Beside it stands the index, 40 bytes of host memory a block.
  std::uint64_t memory_bytes = std::uint64_t{2} << 30;
  /// Bytes of the whole frame, where known: less memory is taken for a small one.
  std::optional<std::uint64_t> frame_bytes;
};

/// Decodes a frame that is read in one pass, with memory that does not depend on its size: while one batch of
/// blocks is read, those before it are copied to the executor, decoded and copied back (thesis, Section 3.3).
/// A batch holds as many blocks as the memory allows: a full wave of the stage's blocks or more where it
/// suffices. Everything is checked but the output's checksums, which are the caller's. Throws
/// format::FormatError naming block and field, MemoryLimitError, std::invalid_argument if the stage cannot
/// run here or decodes another format, and what `read` and `write` throw.
StreamTotals decode_stream(const StageRun& run, const ReadFunction& read, const WriteFunction& write,
                           const StreamOptions& options, const ProgressFunction& progress = {});

}  // namespace gsst::pipeline
