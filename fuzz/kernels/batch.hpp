#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/format/block_format.hpp"
#include "fuzz/random.hpp"

/// Many changed blocks in one frame, with what the oracle makes of each.
namespace gsst::fuzz {

/// What the oracle says of the blocks of a frame.
struct Expectation {
  format::BlockFormat format;
  /// Bytes that each block says it decodes to.
  std::vector<std::uint32_t> block_bytes;
  /// The output of each block; nothing for one whose codes the oracle refuses.
  std::vector<std::optional<std::vector<std::uint8_t>>> outputs;
};

/// Frames that one launch decodes. The plan accepts the frame.
struct Batch {
  std::vector<std::uint8_t> frame;
  Expectation expected;
  /// Blocks that were made, and those of them that the plan refused, which are not in the frame.
  std::uint64_t inputs = 0;
  std::uint64_t refused_by_plan = 0;
};

/// Makes `inputs` changed blocks of `format` and joins those that the plan accepts. `random` decides all.
Batch make_batch(format::BlockFormat format, std::uint32_t inputs, Random& random);

/// The oracle's word on each block of `frame`. Throws format::FormatError if the plan refuses the frame.
Expectation ask_oracle(std::span<const std::uint8_t> frame);

/// Block `block` of `frame`, which the plan accepts, in a frame of its own: the last one, after the earlier
/// ones that hold what it is decoded with, and raw blocks in the places between.
std::vector<std::uint8_t> frame_of_one_block(std::span<const std::uint8_t> frame, std::size_t block);

}  // namespace gsst::fuzz
