#pragma once

#include <cstdint>
#include <vector>

#include "common/format/gsst/block_header.hpp"

namespace gsst::fuzz {

/// What all blocks of a batch have in common, since they stand in one frame.
struct BatchShape {
  format::BlockFormat format;
  /// Bytes that every block says it decodes to.
  std::uint32_t block_bytes;
  /// 1 for formats without splits.
  std::uint32_t split_count;
};

/// A block's payload, valid or not.
struct Block {
  format::BlockLayout layout;
  std::vector<std::uint8_t> bytes;
};

}  // namespace gsst::fuzz
