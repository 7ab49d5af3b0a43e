#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "common/format/frame.hpp"
#include "common/pipeline/batch.hpp"

namespace gsst::pipeline {

/// Fills `buffer` from the input and returns the bytes read: fewer than asked for only at the input's end.
using ReadFunction = std::function<std::size_t(std::span<std::uint8_t> buffer)>;

/// Reads a frame in one pass, a batch of blocks at a time, and checks all that FORMAT.md asks for but the
/// codes and the checksums of the output. Keeps the index, 40 bytes a block, to compare it with the stored
/// one.
class FrameReader {
public:
  /// Reads the frame's header and the first record. `read` must outlive the reader. Throws
  /// format::FormatError, and what `read` throws.
  explicit FrameReader(const ReadFunction& read);

  const format::FrameHeader& header() const { return header_; }
  /// The record of the block that comes next; nothing at the end of the frame, which has then been checked.
  const std::optional<format::BlockRecord>& next_record() const { return next_record_; }
  std::uint64_t bytes_read() const { return bytes_read_; }
  std::uint64_t blocks_read() const { return index_.entries.size(); }

  /// Reads as many blocks into `buffer` as there are and as fit, with at most `limits.blocks` blocks and
  /// `limits.output_bytes` bytes of output; none if the next one is too large. Throws format::FormatError
  /// naming the block in the frame and the field, and what `read` throws.
  Batch read_batch(std::span<std::uint8_t> buffer, const BatchLimits& limits);

private:
  std::size_t take(std::span<std::uint8_t> buffer);
  void read_record();
  void read_end(const format::RecordHeader& record);
  void check_index(const format::FrameIndex& stored) const;

  const ReadFunction& read_;
  std::uint64_t bytes_read_ = 0;
  format::FrameHeader header_{};
  /// Of all blocks read so far.
  format::FrameIndex index_;
  std::optional<format::BlockRecord> next_record_;
};

}  // namespace gsst::pipeline
