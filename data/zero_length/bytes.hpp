#pragma once

#include <cstdint>

#include "data/shared/parts.hpp"

namespace gsst::data {

/// `bytes` random bytes, all values with the same probability.
Parts random_parts(std::uint64_t bytes, std::uint64_t seed);

/// `bytes` bytes `value`.
Parts constant_parts(std::uint64_t bytes, std::uint8_t value);

/// Runs of zeros of one length between stretches of other bytes.
struct Runs {
  std::uint64_t bytes = 0;
  std::uint64_t seed = 1;
  /// Of a thousand bytes, those in runs of zeros: 0 to 1000 * run_bytes / (run_bytes + 1), so that a stretch
  /// between two runs has a byte on average.
  std::uint32_t zeros_per_thousand = 0;
  /// Zeros of a run, 1 to 2^12. Where a part of 2^20 bytes ends, the run ends too.
  std::uint32_t run_bytes = 1;
};

/// Throws std::invalid_argument for parameters out of range. Bytes between runs are 1 to 254: neither a zero
/// nor the marker 0xFF, so that ratio and speed follow from the two parameters alone. Stretches have random
/// lengths.
Parts runs_parts(const Runs& runs);

}  // namespace gsst::data
