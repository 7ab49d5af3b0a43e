#pragma once

#include <nlohmann/json.hpp>

#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_line_rate/line_rate_run.hpp"

namespace gsst::experiments {

/// The row of a run. Throughput is of the blocks that were encoded, over the time of the source; rates are
/// 10^9 bits a second of the data, lost blocks included.
nlohmann::ordered_json line_rate_row(const LineRateRun& run, const ExpectedBlocks& blocks, const Pace& pace,
                                     const zero_length::FeedOptions& options, const Dataset& dataset);

}  // namespace gsst::experiments
