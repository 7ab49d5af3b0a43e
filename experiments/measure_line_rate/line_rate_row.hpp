#pragma once

#include <nlohmann/json.hpp>

#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_line_rate/paced_row.hpp"
#include "stages/zero_length/feed/feed.hpp"

namespace gsst::experiments {

/// The paced_row() of a run of a feed.
nlohmann::ordered_json line_rate_row(const PacedRun& run, const ExpectedBlocks& blocks, const Pace& pace,
                                     const zero_length::FeedOptions& options, const Dataset& dataset);

}  // namespace gsst::experiments
