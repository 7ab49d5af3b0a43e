#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stages/zero_length/feed/feed.hpp"

namespace gsst::experiments {

/// The blocks of some data, and their elements as the oracle writes them.
class ExpectedBlocks {
public:
  /// As many whole blocks of `block_bytes` bytes as `data` has, which must outlive this. Throws InputError if
  /// it has none.
  ExpectedBlocks(std::span<const std::uint8_t> data, std::uint64_t block_bytes);

  std::size_t count() const { return elements_.size(); }
  std::uint64_t block_bytes() const { return block_bytes_; }
  /// The bytes of block `content`, less than count().
  std::span<const std::uint8_t> block(std::size_t content) const;

  /// Throws MismatchError unless `block` is that of this content, all of it.
  void check_all(const zero_length::FeedBlock& block, std::size_t content) const;

  /// As check_all(), but of the elements it compares only the size and 16 pieces of 64 bytes, at places that
  /// follow from the block's index: what takes little time while blocks arrive.
  void check_pieces(const zero_length::FeedBlock& block, std::size_t content) const;

private:
  // The elements, after comparing header and sizes.
  std::span<const std::uint8_t> checked_elements(const zero_length::FeedBlock& block,
                                                 std::size_t content) const;

  std::span<const std::uint8_t> data_;
  std::uint64_t block_bytes_;
  std::vector<std::vector<std::uint8_t>> elements_;
};

}  // namespace gsst::experiments
