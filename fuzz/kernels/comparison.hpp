#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/kernels/batch.hpp"
#include "fuzz/kernels/guarded_decode.hpp"

/// Whether a decoder did what the oracle does.
///
/// The rule: a block's status is 0 exactly where the oracle decodes the block, and then its output is the
/// oracle's, byte for byte. Where the oracle refuses, the status names a problem. Which one, and what the
/// block's own output holds then, is free: a block may have several problems, and threads meet them in any
/// order. Nothing outside of the blocks' outputs and of the status words changes.
namespace gsst::fuzz {

/// A breach of the rule.
struct Finding {
  /// The block that shows it; nothing if it belongs to no block.
  std::optional<std::size_t> block;
  std::string what;
};

/// What became of blocks that reached a decoder.
struct Outcomes {
  /// Both gave the same bytes.
  std::uint64_t decoded_alike = 0;
  /// Both refused.
  std::uint64_t refused_alike = 0;
};

/// All breaches, of each block the first. Adds the blocks without one to `outcomes`.
std::vector<Finding> compare(const Expectation& expected, const GuardedResult& result, Outcomes& outcomes);

}  // namespace gsst::fuzz
