#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_line_rate/expected_blocks.hpp"
#include "experiments/measure_line_rate/paced_run.hpp"
#include "experiments/measure_line_rate/paced_source.hpp"

namespace gsst::experiments {

/// What encoded the blocks of a run, as its row says it.
struct PacedEncoder {
  std::string stage;
  std::string variant;
  nlohmann::ordered_json parameters;
};

/// The row of a run, of all its sources together. Throughput is of the blocks that were encoded, over the
/// time of the sources; rates are 10^9 bits a second of the data, lost blocks included.
nlohmann::ordered_json paced_row(const PacedRun& run, const ExpectedBlocks& blocks,
                                 double wanted_gigabits_per_second, const PacedEncoder& encoder,
                                 const Dataset& dataset);

}  // namespace gsst::experiments
