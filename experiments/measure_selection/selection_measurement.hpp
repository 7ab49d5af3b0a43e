#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "experiments/measure/shared/points.hpp"
#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_query/query_tools.hpp"

namespace gsst::experiments {

/// Measures how long the values of a column that a bit for each selects take to be summed (paper, section 8).
class SelectionMeasurement {
public:
  /// `text` is the column, values of 32 bits at an address that divides by 4. It and `tools` outlive the
  /// object. Throws InputError.
  SelectionMeasurement(std::span<const std::uint8_t> text, Dataset dataset, unsigned repetitions,
                       const QueryTools& tools);

  /// The row of each of `points`, which have blocks of one size; repetitions of all come in random order. A
  /// point's `row` says the `format` of the column (`plain`, `for`, `dfor` or `rfor`) and the `selectivity`,
  /// 0 to 1. Sums are compared with the oracle's before and after the timing. A row has the keys of the
  /// result contract, those of the point, `selected_values`, `clocks`, and of the streaming limit, which
  /// reads the stored column with its bits, streaming_limit_variant. Throws InputError, MismatchError,
  /// cuda::CudaError, std::invalid_argument.
  std::vector<nlohmann::ordered_json> measure(std::span<const Point> points) const;

private:
  std::span<const std::uint8_t> text_;
  Dataset dataset_;
  unsigned repetitions_;
  const QueryTools& tools_;
};

}  // namespace gsst::experiments
