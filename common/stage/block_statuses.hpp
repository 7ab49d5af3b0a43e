#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/plan.hpp"

/// What the words say that kernels leave for the blocks of a frame: BlockStatus values, or strip_status().
namespace gsst::stage {

/// What `word`, which is not 0, says of block `block`.
Problem problem_of_block(std::uint32_t word, std::uint64_t block);

/// What the first word says that is not 0. `words` are host memory; their blocks are numbered from `first`.
std::optional<Problem> first_problem(std::span<const std::byte> words, std::uint64_t first);

/// The outcome of a plan whose output has `output_bytes` bytes if all words are 0.
Outcome outcome_of_blocks(std::span<const std::byte> words, std::uint64_t first, std::uint64_t output_bytes);

}  // namespace gsst::stage
