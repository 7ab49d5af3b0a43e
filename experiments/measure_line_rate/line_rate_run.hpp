#pragma once

#include "experiments/measure_line_rate/expected_blocks.hpp"
#include "experiments/measure_line_rate/paced_run.hpp"
#include "experiments/measure_line_rate/paced_source.hpp"
#include "stages/zero_length/feed/feed.hpp"

namespace gsst::experiments {

/// Runs a source at this pace in a thread, a feed with these options, whose threads encode, and takes the
/// encoded blocks out in the thread of the caller. Before and after, each of the blocks is encoded by such a
/// feed without a pace and compared whole; meanwhile, in pieces. Throws MismatchError where the oracle has
/// other bytes, and std::invalid_argument for options without threads.
PacedRun run_line_rate(const ExpectedBlocks& blocks, const Pace& pace,
                       const zero_length::FeedOptions& options);

}  // namespace gsst::experiments
