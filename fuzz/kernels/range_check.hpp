#pragma once

#include <cstdint>
#include <vector>

#include "common/stage/registry.hpp"
#include "fuzz/kernels/batch.hpp"
#include "fuzz/kernels/comparison.hpp"
#include "fuzz/random.hpp"

/// Byte ranges of changed frames through the stages that decode ranges.
///
/// The rule: the plan accepts a frame exactly where the oracle's does. A range that lies in the frame and in
/// the output is decoded, if no split or strip that it reaches into breaks a rule, to the oracle's bytes;
/// else it is refused, or what is wrong stands behind it and its bytes are the oracle's. Another range is
/// refused as what it is. Nothing is written but what ranges ask for.
namespace gsst::fuzz {

/// What became of frames and ranges without a breach.
struct RangeCounts {
  std::uint64_t frames = 0;
  std::uint64_t frames_refused_by_plan = 0;
  std::uint64_t ranges = 0;
  /// Ranges that reach out of the frame or the output.
  std::uint64_t refused_as_outside = 0;
  std::uint64_t decoded_alike = 0;
  std::uint64_t refused_alike = 0;

  RangeCounts& operator+=(const RangeCounts& other);
};

/// Decodes random ranges of `batch` and of copies of its frame with changes in front and index, with `stage`,
/// which is registered for ranges on `executor` and decodes those of the batch's format. Adds to `counts`. An
/// exception of the stage is a finding.
std::vector<Finding> check_ranges(const Batch& batch, const stage::RegisteredStage& stage,
                                  stage::Executor executor, Random& random, RangeCounts& counts);

}  // namespace gsst::fuzz
