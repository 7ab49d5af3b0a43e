#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/format/gsst/block.hpp"
#include "common/format/gsst/shared_tables.hpp"
#include "common/format/gsst/tiles_header.hpp"
#include "common/frame/frame.hpp"

namespace gsst::search::codes {

/// A block of a frame of format tiles with its payload. What it points to must outlive it.
struct CheckedBlock {
  format::BlockView view;
  /// What holds its table; nothing for a raw block.
  format::TableBlock table;
  std::uint64_t number;

  bool is_raw() const { return view.layout == format::BlockLayout::raw; }
  /// Of a block that is not raw.
  format::TilesHeader header() const { return format::TilesHeader(view.header.data()); }
  format::TilesHeader table_holder() const { return format::TilesHeader(table->data()); }
};

/// Checks block `number` of a frame, whose blocks before it are known to `tables`. Throws
/// format::FormatError.
CheckedBlock check_block(std::span<const std::uint8_t> payload, const format::BlockRecord& record,
                         format::TableWindow& tables, std::uint64_t number);

/// The text of the block. Throws format::FormatError. The checksum is not compared.
std::vector<std::uint8_t> decode(const CheckedBlock& block);

/// The start of a block's text, which says what is rare in it. Throws format::FormatError.
std::vector<std::uint8_t> sample_of(const CheckedBlock& block);

}  // namespace gsst::search::codes
