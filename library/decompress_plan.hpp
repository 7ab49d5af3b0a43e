#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <variant>
#include <vector>

#include "common/frame/frame.hpp"
#include "gsst/gsst.h"
#include "library/ranges.hpp"

namespace gsst::library {

struct DecompressOptions {
  /// Nothing: any frame. Format fsst is a file without frame.
  std::optional<format::BlockFormat> format = std::nullopt;
  /// Not 0.
  unsigned threads = 1;
  bool verify_checksums = true;
};

/// The compressed bytes are of another format than was said.
class WrongFormat : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// What a frame, or an fsst file, says of itself.
struct FrameSummary {
  format::BlockFormat format;
  std::uint64_t compressed_bytes;
  std::uint64_t uncompressed_bytes;
  std::uint64_t block_count;
  /// 0 for an fsst file.
  std::uint64_t block_bytes;
  std::uint32_t split_count;
};

/// Where a block is, in bytes from the start of the frame and of the output.
struct BlockPlace {
  std::uint64_t compressed_offset;
  std::uint64_t compressed_bytes;
  std::uint64_t uncompressed_offset;
  std::uint64_t uncompressed_bytes;
  format::BlockLayout layout;
};

/// What was decoded for a list of ranges.
struct ReadCount {
  std::uint64_t blocks = 0;
  /// Splits of format splits and coalesced, strips of format tiles, whole blocks else.
  std::uint64_t parts = 0;
  /// Uncompressed bytes of these parts; of a raw block what was copied or, for its checksum, all.
  std::uint64_t bytes = 0;
};

/// Parses all of `frame` but the payloads of its blocks. Throws WrongFormat if it is none, or of a format
/// that the interface has no number for, else format::FormatError.
format::FrameView parse_frame(std::span<const std::uint8_t> frame);

/// Parses the header of the frame that starts with `start`. Throws WrongFormat as parse_frame(), else
/// format::FormatError.
format::FrameHeader parse_frame_start(std::span<const std::uint8_t> start);

/// Throws WrongFormat if `wanted` is another format than `found`, the frame's.
void check_format(format::BlockFormat found, std::optional<format::BlockFormat> wanted);

FrameSummary summarize(const format::FrameView& frame);

/// Decompresses one frame, or one fsst file, into memory of the caller.
class DecompressPlan {
public:
  /// Checks everything but codes and checksums of `frame`, which must outlive the plan unchanged. Throws
  /// WrongFormat and format::FormatError.
  DecompressPlan(std::span<const std::uint8_t> frame, const DecompressOptions& options);

  /// All bytes that the plan reads.
  std::span<const std::uint8_t> frame() const { return frame_; }
  /// The frame's parts; null for an fsst file.
  const format::FrameView* view() const { return std::get_if<format::FrameView>(&content_); }
  FrameSummary summary() const;
  /// Throws std::invalid_argument if there is no such block.
  BlockPlace block(std::uint64_t block) const;

  /// Decompresses into `output`, of exactly summary().uncompressed_bytes bytes. Throws format::FormatError.
  void execute(std::span<std::uint8_t> output) const;

  /// Decompresses `ranges` into `output` and no more of the frame than it must: where checksums are verified,
  /// the blocks that hold them, else only the parts of these. Throws ApiError for ranges that check_ranges()
  /// refuses, before anything is written, and format::FormatError.
  ReadCount execute_ranges(std::span<const gsst_range> ranges, std::span<std::uint8_t> output) const;

private:
  // The blocks of an fsst file.
  using FsstBlocks = std::vector<BlockPlace>;

  void execute_frame(const format::FrameView& view, std::span<std::uint8_t> output) const;
  void execute_fsst_file(const FsstBlocks& blocks, std::span<std::uint8_t> output) const;
  void decode_fsst_block(std::uint64_t block, std::span<std::uint8_t> output) const;

  std::uint64_t block_of(std::uint64_t uncompressed_offset) const;
  // The block of `pieces`, for them alone.
  ReadCount read_frame_block(std::span<const RangePiece> pieces, std::span<std::uint8_t> output,
                             unsigned threads) const;
  ReadCount read_fsst_block(std::span<const RangePiece> pieces, std::span<std::uint8_t> output) const;

  std::span<const std::uint8_t> frame_;
  DecompressOptions options_;
  std::variant<format::FrameView, FsstBlocks> content_;
};

}  // namespace gsst::library
