#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "experiments/measure/shared/points.hpp"
#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_query/query_tools.hpp"

namespace gsst::experiments {

/// Measures how fast warps compute where one lane or all lanes do, for a number of operations on each word
/// that is loaded (CODAG paper, IV-D).
class ArithmeticMeasurement {
public:
  /// `text` is what words are loaded from, at an address that divides by 4. It and `tools` outlive the
  /// object. Throws InputError where it has no word.
  ArithmeticMeasurement(std::span<const std::uint8_t> text, Dataset dataset, unsigned repetitions,
                        const QueryTools& tools);

  /// The row of each of `points`; repetitions of all come in random order. A point's `row` says the number of
  /// `operations` on each word, 1 to 1,000,000, and the `lanes` that compute, 1 or 32. All points with the
  /// same `operations` have the same number of words. Results are compared with those of the host before and
  /// after the timing. A row has the keys of the result contract, those of the point, `words`, `clocks`, and
  /// of the streaming limit, which reads and writes the words, streaming_limit_variant. Throws InputError,
  /// MismatchError, cuda::CudaError.
  std::vector<nlohmann::ordered_json> measure(std::span<const Point> points) const;

private:
  std::span<const std::uint8_t> text_;
  Dataset dataset_;
  unsigned repetitions_;
  const QueryTools& tools_;
};

}  // namespace gsst::experiments
