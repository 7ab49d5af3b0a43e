#pragma once

#include <cstdint>

#include "common/format/gsst/block_header.hpp"
#include "common/format/host_device.hpp"

namespace gsst::stage {

/// A piece of the input: a block, or a split of it.
struct InputPiece {
  const std::uint8_t* bytes;
  std::uint32_t size;
};

/// How an input in the executor's memory is cut into blocks and splits (FORMAT.md, sections 4 and 6), as a
/// kernel receives it.
struct InputCut {
  /// input_bytes bytes.
  const std::uint8_t* input;
  std::uint64_t input_bytes;
  std::uint64_t block_bytes;
  std::uint32_t block_count;
  std::uint32_t split_count;

  /// Splits that can hold bytes: the first ones of a block.
  GSST_HOST_DEVICE std::uint32_t used_splits() const {
    return block_bytes < split_count ? static_cast<std::uint32_t>(block_bytes) : split_count;
  }
  /// Bytes of the longest split.
  GSST_HOST_DEVICE std::uint32_t split_bytes() const {
    return static_cast<std::uint32_t>(format::part_size(block_bytes, split_count));
  }

  /// Block `block`, less than block_count.
  GSST_HOST_DEVICE InputPiece block(std::uint32_t block) const {
    const std::uint64_t begin = block * block_bytes;
    const std::uint64_t left = input_bytes - begin;
    return {.bytes = input + begin,
            .size = static_cast<std::uint32_t>(left < block_bytes ? left : block_bytes)};
  }
  /// Split `split` of block `block`; empty behind the block's end.
  GSST_HOST_DEVICE InputPiece split(std::uint32_t block_index, std::uint32_t split) const {
    const InputPiece whole = block(block_index);
    const std::uint64_t size = format::part_size(whole.size, split_count);
    const std::uint64_t wanted = split * size;
    const std::uint64_t begin = wanted < whole.size ? wanted : whole.size;
    const std::uint64_t left = whole.size - begin;
    return {.bytes = whole.bytes + begin, .size = static_cast<std::uint32_t>(left < size ? left : size)};
  }
};

}  // namespace gsst::stage
