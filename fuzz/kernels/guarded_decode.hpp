#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/stage/registry.hpp"
#include "fuzz/random.hpp"

/// One launch of a decoder in memory that shows what it should not have written.
namespace gsst::fuzz {

/// What a decoder has left behind, in host memory.
struct GuardedResult {
  /// The output with guards around it and gaps between the blocks, and what all of it held before.
  std::vector<std::uint8_t> output;
  std::vector<std::uint8_t> poison;
  /// Where in `output` each block's part begins.
  std::vector<std::size_t> block_begins;
  /// One word per block.
  std::vector<std::uint32_t> statuses;
  /// The memory beside the output that has changed and must not have; empty if none has.
  std::string changed_memory;
};

/// Decodes `frame`, which the plan accepts and which has a block or more, with the default parameters of
/// `stage`. The frame ends where its memory ends. Gaps, and where in memory all begins, are random. Throws
/// what the stage throws, and cuda::CudaError.
GuardedResult decode_guarded(const stage::RegisteredStage& stage, stage::Executor executor,
                             std::span<const std::uint8_t> frame, Random& random);

}  // namespace gsst::fuzz
