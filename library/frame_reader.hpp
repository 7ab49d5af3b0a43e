#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "common/frame/frame.hpp"
#include "gsst/gsst.h"
#include "library/block_lookup.hpp"
#include "library/decompress_plan.hpp"
#include "library/ranges.hpp"

namespace gsst::library {

/// A plan to decompress a frame, or an fsst file, that remembers what short ranges have found out about its
/// blocks. Can be used by several threads at once.
class FrameReader {
public:
  /// As DecompressPlan. `frame` must outlive the reader unchanged.
  FrameReader(std::span<const std::uint8_t> frame, const DecompressOptions& options);

  const DecompressPlan& plan() const { return plan_; }

  /// Throws ApiError for ranges that check_ranges() refuses for an output of `output_bytes` bytes.
  void check_ranges(std::span<const gsst_range> ranges, std::uint64_t output_bytes) const;

  /// What read() decodes for `ranges`, which check_ranges() has accepted, if it is called now. Throws
  /// format::FormatError.
  ReadCount count(std::span<const gsst_range> ranges) const;

  /// Decompresses `ranges`, which check_ranges() has accepted, into `output`. Long ranges as
  /// DecompressPlan::execute_ranges(). For short ones no more than the codes around them: a block's checksum
  /// is compared when the first of them is read, and the codes of a part are checked then. Throws
  /// format::FormatError.
  void read(std::span<const gsst_range> ranges, std::span<std::uint8_t> output) const;

private:
  bool must_verify(const BlockLookup& block) const;
  ReadCount count_frame_block(std::span<const RangePiece> pieces, bool has_long) const;
  void read_all_short(std::span<const gsst_range> ranges, std::span<std::uint8_t> output) const;
  void read_short(const gsst_range& range, std::span<std::uint8_t> output) const;
  void verify_blocks(std::span<const gsst_range> ranges) const;
  void verify(const BlockLookup& block, std::size_t number, unsigned threads) const;

  DecompressOptions options_;
  DecompressPlan plan_;
  /// Nothing for an fsst file.
  std::optional<format::FrameView> view_;
  BlockLookups lookups_;
};

}  // namespace gsst::library
