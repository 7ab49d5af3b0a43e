#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "common/frame/frame_reader.hpp"
#include "common/frame/payload_checker.hpp"
#include "common/pipeline/batch.hpp"

namespace gsst::pipeline {

/// Reads a frame in one pass, a batch of blocks at a time, and checks all that FORMAT.md asks for but the
/// codes and the checksums of the output.
class BatchReader {
public:
  /// Reads the frame's header and the first record. `read` must outlive the reader. Throws
  /// format::FormatError, and what `read` throws.
  explicit BatchReader(const format::ReadFunction& read);

  const format::FrameHeader& header() const { return frame_.header(); }
  /// The record of the block that comes next; nothing at the end of the frame, which has then been checked.
  const std::optional<format::BlockRecord>& next_record() const { return next_record_; }
  std::uint64_t bytes_read() const { return frame_.bytes_read(); }

  /// Reads as many blocks into `buffer` as there are and as fit, with at most `limits.blocks` blocks and
  /// `limits.output_bytes` bytes of output; none if the next one is too large. Throws format::FormatError
  /// naming the block in the frame and the field, and what `read` throws.
  Batch read_batch(std::span<std::uint8_t> buffer, const BatchLimits& limits);

private:
  format::FrameReader frame_;
  format::PayloadChecker payloads_;
  std::optional<format::BlockRecord> next_record_;
  std::uint64_t next_block_ = 0;
};

}  // namespace gsst::pipeline
