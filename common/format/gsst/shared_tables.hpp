#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/format/gsst/block.hpp"
#include "common/frame/frame.hpp"

/// Blocks of format tiles that share a table (FORMAT.md, section 9).
namespace gsst::format {

/// The block of `frame` that holds the table of block `block`, whose header check_tiles_header() has
/// accepted: itself or one before. Checks that the table fits. Throws FormatError.
std::span<const std::uint8_t> find_table(const FrameView& frame, std::size_t block);

/// A block that holds nothing but a table of tiles, as build_table_block() makes it. Host memory.
using TableBlock = std::shared_ptr<const std::vector<std::uint8_t>>;

/// The tables of a frame of format tiles that blocks to come can share, for who goes through the frame in one
/// pass: at most max_dictionary_id + 1 of them.
class TableWindow {
public:
  /// The table of `view`, block `block` of the frame, which parse_block() has accepted; blocks come in order.
  /// Nothing for a block without table. Throws FormatError if the block names a table that is not there.
  TableBlock table_of(const BlockView& view, std::uint64_t block);

  /// How many blocks before `block` the nearest one stands that holds `table`; nothing if none does.
  std::optional<std::uint32_t> nearest(const TableBlock& table, std::uint64_t block) const;

  /// Block `block`, behind those that were added before it, holds `table`.
  void add(const TableBlock& table, std::uint64_t block);

private:
  // By the number of the block that holds it.
  std::map<std::uint64_t, TableBlock> tables_;
};

}  // namespace gsst::format
