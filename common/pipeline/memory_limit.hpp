#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>

#include "common/frame/frame.hpp"
#include "common/pipeline/batch.hpp"

namespace gsst::pipeline {

/// Batches that are on their way at the same time: one arrives, one is decoded, one goes back.
inline constexpr unsigned slot_count = 3;

/// Most page-locked host memory of a stream. To lock a gigabyte takes 0.3 s or more, time in which a link
/// moves ten, so more memory must save more than it costs. A batch takes about a millisecond from the host
/// through the executor and back, in which a link of 50 GB/s moves 50 MB: three batches of 20 MiB of output
/// and as much input keep it busy, and more would not make it faster.
inline constexpr std::uint64_t most_pinned_bytes = std::uint64_t{128} << 20;

/// The memory that was allowed holds no block. The message says how much is needed.
class MemoryLimitError : public std::runtime_error {
public:
  MemoryLimitError(std::uint64_t allowed_bytes, std::uint64_t needed_bytes);
};

/// What the slots of a stream take, each of them for batches within `batch`.
struct StreamMemory {
  /// 1 to slot_count.
  unsigned slots;
  BatchLimits batch;

  /// In all slots together: so much memory of the executor, and no more of the host.
  std::uint64_t bytes() const;
  /// Whether the host's part is page-locked: where it is at most most_pinned_bytes. Memory for larger blocks
  /// is pageable.
  bool is_pinned() const;
};

/// The memory for the blocks of a frame with `header` from that of `next` on: batches that take at most
/// `allowed_bytes` and most_pinned_bytes, but hold a block, and that have no more room than a frame of
/// `frame_bytes` bytes can fill, where that is known. They hold `next`, and blocks of any content that an
/// encoder does not make larger than it is. Throws MemoryLimitError if `allowed_bytes` hold no block.
StreamMemory plan_stream_memory(std::uint64_t allowed_bytes, const format::FrameHeader& header,
                                const format::BlockRecord& next, std::optional<std::uint64_t> frame_bytes);

}  // namespace gsst::pipeline
