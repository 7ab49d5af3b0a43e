#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gsst/gsst.h"

/// Lists of byte ranges to measure random access with.
namespace gsst::experiments {

/// Where the ranges of a list are.
enum class RangePattern {
  scattered,  ///< one at a random place in each of as many equal parts of the text, in rising order
  shuffled,   ///< those of scattered, in random order
  clustered,  ///< side by side, in runs of ranges_per_cluster; the runs as the ranges of scattered
};

/// Ranges that stand side by side in a clustered list.
inline constexpr std::uint64_t ranges_per_cluster = 1024;

/// The name that rows use.
std::string range_pattern_name(RangePattern pattern);

/// What a list is made of.
struct RangeListRequest {
  RangePattern pattern;
  /// The part of the text that is asked for, above 0 and up to 1.
  double selectivity;
  /// Bytes of each range.
  std::uint64_t range_bytes;
  std::uint64_t text_bytes;
};

/// Ranges that share no byte, about selectivity * text_bytes bytes together and at least one range; their
/// output stands without gap. The same request gives the same list. Throws InputError where the text has less
/// than one range, or the selectivity is out of range.
std::vector<gsst_range> make_range_list(const RangeListRequest& request);

}  // namespace gsst::experiments
