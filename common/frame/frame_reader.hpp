#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/format/stream.hpp"
#include "common/frame/frame.hpp"

namespace gsst::format {

/// Reads a frame in one pass, record by record, and checks all of it but the blocks' payloads. Keeps the
/// index, 40 bytes a block, to compare it with the stored one.
class FrameReader {
public:
  /// Reads the frame's header. `read` must outlive the reader. Throws FormatError, and what `read` throws.
  explicit FrameReader(const ReadFunction& read);

  const FrameHeader& header() const { return header_; }
  std::uint64_t bytes_read() const { return bytes_read_; }
  /// Blocks whose records have been read.
  std::uint64_t block_count() const { return index_.entries.size(); }

  /// Reads the record of the next block; nothing at the frame's end, which has then been checked. Throws
  /// FormatError, and what `read` throws.
  std::optional<BlockRecord> next_record();

  /// Reads the payload of the block whose record was read last; call it once for each. Throws FormatError if
  /// it is cut off, and what `read` throws.
  std::vector<std::uint8_t> read_payload();
  /// The same into `payload`, which has the record's payload_bytes.
  void read_payload(std::span<std::uint8_t> payload);

private:
  std::vector<std::uint8_t> take(std::size_t bytes);
  void check_payload_bytes(std::size_t got) const;
  void read_end(const RecordHeader& record);
  void check_index(const FrameIndex& stored) const;

  const ReadFunction& read_;
  std::uint64_t bytes_read_ = 0;
  FrameHeader header_{};
  /// Of all blocks so far.
  FrameIndex index_;
};

}  // namespace gsst::format
