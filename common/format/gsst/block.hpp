#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/format/formats.hpp"
#include "common/format/gsst/block_header.hpp"
#include "common/format/gsst/symbol_table.hpp"
#include "common/frame/frame.hpp"

namespace gsst::format {

/// Largest number of splits in a block.
inline constexpr std::uint32_t max_split_count = 65536;

/// One split of a checked block.
struct Split {
  /// Format blocks and splits: first code and number of code bytes. Format coalesced: number of code bytes,
  /// which stand split_count apart; `first_code` is the split's number (Eq 4.6).
  std::uint32_t first_code;
  std::uint32_t code_bytes;
  /// Where the split's output starts in the block's output, and how long it is, in bytes.
  std::uint32_t output_offset;
  std::uint32_t output_bytes;
  /// Format coalesced: the first code is an escaped byte.
  bool starts_escaped;
};

/// A block whose header has been checked. The spans point into the bytes that were parsed.
struct BlockView {
  BlockFormat format;
  BlockLayout layout;
  std::uint32_t uncompressed_bytes;
  std::uint32_t split_count;
  /// Empty table for a raw block and for format tiles.
  SymbolTable table;
  /// The codes; for a raw block the uncompressed bytes.
  std::span<const std::uint8_t> codes;
  /// The header fields before the table; empty for a raw block. Format tiles: the whole block, for
  /// TilesHeader.
  std::span<const std::uint8_t> header;

  /// Split `split`, less than split_count. A block of format `blocks` or layout raw is one split.
  Split split(std::uint32_t split) const;
};

/// Parses `payload`, all bytes of one block of a frame (FORMAT.md, sections 3 to 5 and 9). After it, decoding
/// needs to check nothing but codes without symbol, the escapes and the output's end. Throws FormatError.
BlockView parse_block(std::span<const std::uint8_t> payload, const BlockExpectation& expected,
                      std::optional<std::uint64_t> block);

/// Parses block `block` of `frame`, and checks that the table is there that it shares with an earlier block.
/// Throws FormatError.
BlockView parse_block(const FrameView& frame, std::size_t block);

/// What build_block() puts together.
struct BlockParts {
  BlockFormat format;
  std::uint32_t uncompressed_bytes;
  const SymbolTable& table;
  /// In the order in which the block stores them.
  std::span<const std::uint8_t> codes;
  /// One per split; empty for format blocks.
  std::span<const std::uint32_t> split_locations;
  /// One per split for format coalesced (1 = starts with an escaped byte), else empty.
  std::span<const std::uint8_t> split_starts_escaped;
};

/// A block's bytes and the layout that was chosen for it.
struct BuiltBlock {
  BlockLayout layout;
  std::vector<std::uint8_t> bytes;
};

/// Builds a block of a format other than tiles in the narrow layout where every field fits, else in the wide
/// one (FORMAT.md, section 3).
BuiltBlock build_block(const BlockParts& parts);

/// Bytes of a wide block's header, the most that a header of this format takes.
std::uint64_t max_block_header_bytes(BlockFormat format, std::uint32_t split_count);

}  // namespace gsst::format
