#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "common/format/stream.hpp"
#include "common/pipeline/batch.hpp"
#include "common/pipeline/stage_run.hpp"

namespace gsst::pipeline {

/// Takes the output of `batch`, host memory that holds it during the call only. Batches come in order.
using WriteFunction = std::function<void(const Batch& batch, std::span<const std::uint8_t> output)>;

struct StreamOptions {
  /// Most memory for the data on its way: so much on the device, and so much of the host, of which at most
  /// most_pinned_bytes is page-locked (memory_limit.hpp). The index takes 40 bytes of host memory a block on
  /// top of it.
  std::uint64_t memory_bytes = std::uint64_t{2} << 30;
  /// Bytes of the whole frame, where known: less memory is taken for a small one.
  std::optional<std::uint64_t> frame_bytes;
};

/// On one device. The command calls streaming::decode_stream(), which does the same on several; this one may
/// go when what common/pipeline is recorded in is measured again.
///
/// Decodes a frame that is read in one pass, with memory that does not depend on its size: while one batch of
/// blocks is read, those before it are copied to the executor, decoded and copied back (thesis, Section 3.3).
/// Batches are as large as plan_stream_memory() says. Everything is checked before `write` gets it. Checksums
/// of pieces are compared by the executor; those of whole blocks, for which a GPU is slow (a block's is one
/// chain of operations), by threads of the host, beside the copies and the writing of other batches. Throws
/// format::FormatError naming block and field, MemoryLimitError, std::invalid_argument if the stage cannot
/// run here or decodes another format, and what `read` and `write` throw.
format::StreamTotals decode_stream(const StageRun& run, const format::ReadFunction& read,
                                   const WriteFunction& write, const StreamOptions& options,
                                   const format::ProgressFunction& progress = {});

}  // namespace gsst::pipeline
