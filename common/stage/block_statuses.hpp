#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/plan.hpp"

/// What the words say that kernels leave for the blocks of a frame: what the format's rules say, but for
/// BlockStatus::wrong_checksum, which the check of checksums leaves for blocks of every format.
namespace gsst::stage {

/// Block `block` has another checksum than its bytes.
Problem problem_of_checksum(std::uint64_t block);

/// What `word`, which is not 0, says of block `block`. Throws std::invalid_argument for a format without
/// rules.
Problem problem_of_block(format::BlockFormat format, std::uint32_t word, std::uint64_t block);

/// What the first word says that is not 0. `words` are host memory; their blocks are numbered from `first`.
std::optional<Problem> first_problem(format::BlockFormat format, std::span<const std::byte> words,
                                     std::uint64_t first);

/// The outcome of a plan that decodes the blocks of `frame`, or checks them: the words are those of
/// first_problem().
Outcome outcome_of_blocks(const FrameOnDevice& frame, std::span<const std::byte> words, std::uint64_t first);

}  // namespace gsst::stage
