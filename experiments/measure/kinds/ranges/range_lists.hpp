#pragma once

#include <cstdint>
#include <vector>

#include "experiments/measure/shared/points.hpp"
#include "gsst/gsst.h"

/// Lists of byte ranges to measure random access with.
namespace gsst::experiments {

/// Consecutive ranges of a clustered list.
inline constexpr std::uint64_t ranges_per_cluster = 1024;

/// Ranges that share no byte, about selectivity * text_bytes bytes together and at least one range; their
/// output stands without gap. The same arguments give the same list. Throws InputError where the text has
/// less than one range, or the selectivity is out of range.
std::vector<gsst_range> make_range_list(const WantedRanges& wanted, std::uint64_t text_bytes);

}  // namespace gsst::experiments
