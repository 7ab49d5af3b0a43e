#pragma once

#include <cstdint>
#include <span>

#include "common/format/gsst/shared_tables.hpp"
#include "reference_cpu/compress_block.hpp"

namespace gsst::reference {

/// Finishes the blocks of a frame of format tiles, one after the other: a table that stands in a block before
/// is not stored again.
class TableSharing {
public:
  /// `block` is compress_block()'s of `input` and the next one of the frame. Takes its table out if a block
  /// before holds the same, and stores the input as it is where coding does not pay. A table counts there
  /// only if no block to come can share it: if it is the block's own, or if the block `is_last`.
  void finish(CompressedBlock& block, std::span<const std::uint8_t> input, bool is_last);

  /// Tables that are stored.
  std::uint64_t tables() const { return tables_; }

private:
  format::TableWindow window_;
  std::uint64_t next_block_ = 0;
  std::uint64_t tables_ = 0;
};

}  // namespace gsst::reference
