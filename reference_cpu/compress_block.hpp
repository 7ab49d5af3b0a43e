#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/frame/frame.hpp"
#include "reference_cpu/level.hpp"
#include "reference_cpu/parse.hpp"
#include "reference_cpu/tile_plan.hpp"

/// One block from its bytes to what stands in a frame or an fsst file.
namespace gsst::reference {

struct CompressOptions {
  format::BlockFormat format = format::BlockFormat::splits;
  /// Uncompressed bytes per block, 1 to format::max_block_bytes; for format fsst at most
  /// format::max_fsst_block_bytes.
  std::uint64_t block_bytes = std::uint64_t{4} << 20;
  /// Splits per block, 1 to format::max_split_count; ignored by formats that have none.
  std::uint32_t split_count = 128;
  /// Format tiles: bits of a code, 8, 10 or 12, and codes of a lane, 16, 24 or 32; 0 chooses by a sample.
  std::uint32_t code_bits = 0;
  std::uint32_t codes_per_lane = 0;
  /// Format tiles: most codes of a strip, one of tile_strip_codes and at least those of a tile; 0 takes
  /// default_strip_codes. Short strips are for random access: less stands before a byte that is asked for.
  std::uint32_t strip_codes = 0;
  /// How much work is done for a smaller output, min_level to max_level.
  unsigned level = default_level;
  /// Format tiles: another parse than the level's.
  std::optional<Parse> parse = std::nullopt;
  /// Checksums of blocks and index; format fsst has none.
  format::ChecksumKind checksum_kind = format::ChecksumKind::xxh64;
  /// Worker threads; 0 takes one per available core. The output does not depend on it.
  unsigned threads = 0;
};

/// Throws std::invalid_argument for options out of range.
void check_options(const CompressOptions& options);

/// The splits in each block, 1 for formats that have none.
std::uint32_t split_count(const CompressOptions& options);

/// A block as it is stored. In a frame `record` stands in front of it; an fsst file has no records.
struct CompressedBlock {
  format::BlockRecord record;
  std::vector<std::uint8_t> bytes;
  /// Format tiles: the table is that of the frame's plan.
  bool has_frame_table = false;
};

/// Bytes at the start of an input that plan_frame() looks at, or a block if that has more; nothing for
/// formats whose blocks are made one by one.
std::uint64_t planned_bytes(const CompressOptions& options);

/// What the blocks of a frame of format tiles have in common, found in its first planned_bytes(); nothing for
/// other formats. Up to `threads` threads work on it.
std::optional<TilePlan> plan_frame(std::span<const std::uint8_t> start, const CompressOptions& options,
                                   unsigned threads);

/// Trains a table on `input` (1 to options.block_bytes bytes), or takes the one of `plan` where that serves,
/// and encodes it; in a frame, stores it raw where coding does not pay, or leaves that, for format tiles, to
/// TableSharing. Splits are encoded by up to `threads` threads. `plan` is plan_frame()'s.
CompressedBlock compress_block(std::span<const std::uint8_t> input, const CompressOptions& options,
                               unsigned threads, const std::optional<TilePlan>& plan);

/// Adds to `index` the block that follows its last one. Throws std::length_error if a frame holds no more.
void append_to_index(format::FrameIndex& index, const format::BlockRecord& record);

}  // namespace gsst::reference
