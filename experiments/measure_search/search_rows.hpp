#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "experiments/measure/shared/points.hpp"
#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_search/searches.hpp"

namespace gsst::experiments {

/// How fast the frame's bytes are read where nothing else is done.
struct ReadingTime {
  std::string variant;
  double seconds;
};

/// The row of a search by the stage of `point`. Throughput and streaming limit count the text's bytes.
nlohmann::ordered_json row_of_search(const Point& point, const SearchedFrame& frame,
                                     const ExpectedMatches& expected, std::span<const double> seconds,
                                     const ReadingTime& reading, const Dataset& dataset);

/// The points that want the same search of a frame, as positions in `points`; these are measured together.
std::vector<std::vector<std::size_t>> group_by_search(std::span<const Point> points);

}  // namespace gsst::experiments
