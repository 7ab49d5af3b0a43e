#pragma once

#include <cstdint>

#include "experiments/measure_line_rate/delays.hpp"

namespace gsst::experiments {

/// What became of the blocks of paced sources.
struct PacedRun {
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

}  // namespace gsst::experiments
