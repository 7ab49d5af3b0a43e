#pragma once

#include <cstdint>
#include <optional>

#include "common/format/stream.hpp"
#include "common/frame/frame.hpp"
#include "stages/gsst/encode/encode_plans.hpp"

namespace gsst::stage {

/// What the blocks of a frame of format tiles have in common.
struct TileStreamSettings {
  format::TileShape shape;
  /// For codes of that width. Without one the encoder trains a table for each piece.
  std::optional<format::TileTable> table = std::nullopt;
};

/// How encode_stream() cuts its input and how much memory it takes.
struct EncodeStreamSettings {
  /// EncodeSettings::block_bytes and below.
  std::uint64_t block_bytes;
  std::uint32_t split_count;
  std::uint32_t blocks_per_table = 1;
  ParameterValues parameters = {};
  /// Bytes of the executor's memory at most, and no more of host memory.
  std::uint64_t memory_bytes = std::uint64_t{2} << 30;
  /// Most blocks of the frame, at most format::max_block_count. Tests lower it.
  std::uint64_t most_blocks = format::max_block_count;
  /// Set for a frame of format tiles.
  std::optional<TileStreamSettings> tiles = std::nullopt;
};

/// What encode_stream() counted.
struct EncodeStreamTotals : format::StreamTotals {
  /// Format tiles: tables that are stored; the other blocks share them.
  std::uint64_t tables = 0;
};

/// Most bytes of a piece, unless the blocks of one table are more. Longer pieces save launches and take more
/// memory.
inline constexpr std::uint64_t most_piece_bytes = std::uint64_t{64} << 20;

/// Bytes of the executor's memory that a piece of `bytes` bytes takes: input, output, scratch, statuses and
/// the frame's size. Throws std::invalid_argument as GsstEncodePlans::make does.
std::uint64_t memory_of_piece(const GsstEncodePlans& plans, const EncodeStreamSettings& settings,
                              std::uint64_t bytes);

/// Bytes of every piece but the last: most_piece_bytes, or what the memory holds, in whole tables. Where the
/// memory does not hold the blocks of one table, all of a short input may still fit: then no more than the
/// memory's bytes.
std::uint64_t piece_bytes(const GsstEncodePlans& plans, const EncodeStreamSettings& settings);

/// Encodes `read`'s bytes into one frame, piece by piece: 64 MiB at a time, or the blocks that the memory
/// holds. While a piece is encoded, the next is read and the previous one is written, if the memory holds
/// several. A block that is not full takes the memory of its bytes. The frame is the one that a single
/// encoding of all bytes gives, but that in format tiles each piece holds the table. `progress` is called
/// after each piece. Throws std::invalid_argument as GsstEncodePlans::make does, pipeline::MemoryLimitError
/// if the memory holds no block (or not all blocks of a table), std::length_error before it writes more
/// blocks than a frame holds, and whatever `read` and `write` throw.
EncodeStreamTotals encode_stream(const GsstEncodePlans& plans, const format::ReadFunction& read,
                                 const format::WriteFunction& write, const EncodeStreamSettings& settings,
                                 const format::ProgressFunction& progress = {});

}  // namespace gsst::stage
