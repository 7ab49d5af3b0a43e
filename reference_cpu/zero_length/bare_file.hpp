#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "common/format/stream.hpp"

/// Files of the bare form (FORMAT.md, section 11.2), read in one pass.
namespace gsst::reference::zero_length {

/// Reads the blocks of a bare file in the order of their indexes, whatever their order in the file, and
/// decodes them. Blocks that come before their turn are kept as they are stored: a file whose first block is
/// the last one takes memory for all of it.
class BareReader {
public:
  /// Takes each block's bytes.
  using Take = std::function<void(std::span<const std::uint8_t> bytes)>;

  /// `read` must outlive the reader.
  explicit BareReader(const format::ReadFunction& read) : read_(read) {}

  /// Reads the whole file and calls `take` for each block, by rising index. `progress`, if not empty, is
  /// called after each. Throws format::FormatError whose block is the number of a block in the order of the
  /// file, and what the functions throw.
  format::StreamTotals read_all(const Take& take, const format::ProgressFunction& progress);

  /// Uncompressed bytes of every block but the last; 0 without blocks. After read_all().
  std::uint64_t block_bytes() const { return block_bytes_; }

private:
  // A block as it is stored, without its header.
  struct Stored {
    // In the order of the file.
    std::uint64_t number;
    std::uint64_t index;
    std::vector<std::uint8_t> elements;
  };

  std::vector<std::uint8_t> read_bytes(std::uint64_t size);
  // The next block; nothing at the guard block, with which the file has ended.
  std::optional<Stored> read_block();
  // Of the blocks that are decoded in order.
  std::vector<std::uint8_t> decode_next(const Stored& stored);

  const format::ReadFunction& read_;
  format::StreamTotals totals_;
  std::uint64_t blocks_read_ = 0;
  std::uint64_t block_bytes_ = 0;
  // Of the block that was decoded last.
  std::uint64_t last_bytes_ = 0;
};

}  // namespace gsst::reference::zero_length
