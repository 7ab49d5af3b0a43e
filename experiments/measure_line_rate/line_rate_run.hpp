#pragma once

#include <cstdint>

#include "experiments/measure_line_rate/delays.hpp"
#include "experiments/measure_line_rate/expected_blocks.hpp"
#include "experiments/measure_line_rate/paced_source.hpp"
#include "stages/zero_length/feed/feed.hpp"

namespace gsst::experiments {

/// What became of the blocks of a paced source.
struct LineRateRun {
  /// Whose packets came.
  std::uint64_t offered_blocks;
  /// Of these, those that found no free slot. All others were encoded.
  std::uint64_t lost_blocks;
  /// Encoded, headers and guard block included.
  std::uint64_t stored_bytes;
  /// From the time of the first packet to the arrival of the last.
  double seconds;
  /// From the arrival of a block's last packet until its encoded bytes are in the hands of who takes them.
  Delays delays;
};

/// Runs a source at this pace in a thread, a feed with these options, whose threads encode, and takes the
/// encoded blocks out in the thread of the caller. Before and after, each of the blocks is encoded by such a
/// feed without a pace and compared whole; meanwhile, in pieces. Throws MismatchError where the oracle has
/// other bytes, and std::invalid_argument for options without threads.
LineRateRun run_line_rate(const ExpectedBlocks& blocks, const Pace& pace,
                          const zero_length::FeedOptions& options);

}  // namespace gsst::experiments
