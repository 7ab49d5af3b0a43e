#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/format/block_format.hpp"
#include "common/format/payload_rules.hpp"
#include "common/frame/checksum.hpp"
#include "common/frame/index_entry.hpp"

/// The frame around blocks of any format (FORMAT.md, section 6): header, one record per block,
/// index, trailer. A writer needs one pass and no seeking; a reader finds every block from the frame's end,
/// or goes through the records in one pass and checks the index last.
namespace gsst::format {

inline constexpr std::size_t frame_header_bytes = 40;
inline constexpr std::size_t index_totals_bytes = 16;
inline constexpr std::size_t frame_trailer_bytes = 24;
/// Most blocks in one frame, so that the index's size fits its record.
inline constexpr std::uint64_t max_block_count = std::uint64_t{1} << 26;

/// The first eight bytes of a frame. The first is no text, the last three show a transfer that changed line
/// ends.
inline constexpr std::array<std::uint8_t, 8> frame_magic = {0x89, 'G', 'S', 'S', 'T', '\r', '\n', 0x1a};
/// The last eight bytes of a frame.
inline constexpr std::array<std::uint8_t, 8> trailer_magic = {0x89, 'T', 'S', 'S', 'G', '\r', '\n', 0x1a};

/// What a frame says before its first block.
struct FrameHeader {
  BlockFormat format;
  /// Uncompressed bytes in every block but the last, 1 to max_block_bytes.
  std::uint64_t block_size;
  /// Splits in every block; 1 for formats without.
  std::uint32_t split_count;
  /// Of the blocks and of the index.
  ChecksumKind checksum_kind = ChecksumKind::xxh64;

  bool operator==(const FrameHeader&) const = default;
};

/// What stands in front of a block's payload.
struct BlockRecord {
  BlockLayout layout;
  std::uint32_t payload_bytes;
  std::uint32_t uncompressed_bytes;
  /// checksum() of the uncompressed bytes, of the frame's kind.
  std::uint64_t checksum;
  /// The frame's; a record does not repeat it.
  ChecksumKind checksum_kind = ChecksumKind::xxh64;

  bool operator==(const BlockRecord&) const = default;
};

/// A block's record with its place, as the index repeats it.
struct IndexEntry {
  /// Bytes from the frame's first byte to the block's payload.
  std::uint64_t payload_offset;
  /// Bytes from the start of the output to the block's output.
  std::uint64_t uncompressed_offset;
  BlockRecord record;

  bool operator==(const IndexEntry&) const = default;
};

/// Every block of a frame and the totals.
struct FrameIndex {
  std::vector<IndexEntry> entries;
  std::uint64_t uncompressed_bytes = 0;
  /// The frame's, which is that of its blocks.
  ChecksumKind checksum_kind = ChecksumKind::xxh64;

  bool operator==(const FrameIndex&) const = default;
};

/// A frame in memory whose header, records, index and trailer have been checked against each other.
struct FrameView {
  FrameHeader header;
  FrameIndex index;
  /// The whole frame.
  std::span<const std::uint8_t> bytes;

  /// Bytes from the frame's first byte to the first entry of its index.
  std::uint64_t index_offset() const;
  /// The payload of block `block`, not yet checked.
  std::span<const std::uint8_t> payload(std::size_t block) const;
};

/// What comes next in a frame that is read in one pass.
enum class RecordKind : std::uint8_t { block = 1, index = 2 };

/// A record's header as a reader in one pass meets it.
struct RecordHeader {
  RecordKind kind;
  /// For an index: payload_bytes and checksum (of the payload) only.
  BlockRecord fields;
};

/// What `record` says of its block's payload.
BlockExpectation expectation_of(const FrameHeader& header, const BlockRecord& record);

/// Largest payload that a block of `uncompressed_bytes` can have under `header`.
std::uint64_t max_payload_bytes(const FrameHeader& header, std::uint64_t uncompressed_bytes);

/// Whether `bytes` starts with the magic of a frame.
bool starts_with_frame_magic(std::span<const std::uint8_t> bytes);

/// Parses frame_header_bytes at the start of `bytes`. Throws FormatError.
FrameHeader parse_frame_header(std::span<const std::uint8_t> bytes);

/// Parses the record_header_bytes at the start of `bytes`; `block` is the number that a block found here has.
/// Throws FormatError, also for sizes that `header` does not allow.
RecordHeader parse_record_header(std::span<const std::uint8_t> bytes, const FrameHeader& header,
                                 std::uint64_t block);

/// Parses an index record's payload and checks it: entries follow each other without gap or overlap, and
/// every block but the last has the frame's block size. Throws FormatError.
FrameIndex parse_index(std::span<const std::uint8_t> payload, const RecordHeader& record,
                       const FrameHeader& header);

/// Parses the trailer at the start of `bytes` and checks that it states `frame_bytes` for the whole frame and
/// `index_bytes` for the index record. Throws FormatError.
void check_trailer(std::span<const std::uint8_t> bytes, std::uint64_t frame_bytes, std::uint64_t index_bytes);

/// Finds and checks everything but the blocks' payloads, from the end of the frame. `bytes` is the whole
/// frame and nothing more. Throws FormatError.
FrameView parse_frame(std::span<const std::uint8_t> bytes);

std::array<std::uint8_t, frame_header_bytes> build_frame_header(const FrameHeader& header);
std::array<std::uint8_t, record_header_bytes> build_block_record(const BlockRecord& record);

/// Adds to `index` the block that follows its last one; the index gets the kind of its checksum.
void append_block(FrameIndex& index, const BlockRecord& record);

/// The index record and the trailer, which end a frame.
std::vector<std::uint8_t> build_frame_end(const FrameIndex& index);

}  // namespace gsst::format
