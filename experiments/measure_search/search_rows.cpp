#include "experiments/measure_search/search_rows.hpp"

#include <algorithm>

#include "experiments/measure/shared/statistics.hpp"

namespace gsst::experiments {

nlohmann::ordered_json row_of_search(const Point& point, const SearchedFrame& frame,
                                     const ExpectedMatches& expected, std::span<const double> seconds,
                                     const ReadingTime& reading, const Dataset& dataset) {
  const stage::FrameOnDevice& shape = frame.shape();
  nlohmann::ordered_json row =
      row_to_json({.stage = point.id,
                   .variant = point.variant,
                   .parameters = decode_parameters(point, shape.block_count, shape.split_count),
                   .uncompressed_bytes = shape.uncompressed_bytes,
                   .compressed_bytes = frame.bytes().size(),
                   .seconds = summarize(seconds)},
                  dataset);
  row["operation"] = stage::operation_name(stage::Operation::query);
  row["streaming_limit_gb_per_s"] = gigabytes_per_second(shape.uncompressed_bytes, reading.seconds);
  row["streaming_limit_moved_gb_per_s"] = gigabytes_per_second(frame.bytes().size(), reading.seconds);
  row["streaming_limit_variant"] = reading.variant;
  row["matches"] = expected.count();
  row["matches_per_mb"] =
      static_cast<double>(expected.count()) / (static_cast<double>(shape.uncompressed_bytes) * 1e-6);
  return row;
}

std::vector<std::vector<std::size_t>> group_by_search(std::span<const Point> points) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const WantedSearch wanted = wanted_search(points[i]);
    const auto group = std::ranges::find_if(
        groups, [&](const auto& places) { return wanted_search(points[places.front()]) == wanted; });
    if (group == groups.end()) {
      groups.push_back({i});
    } else {
      group->push_back(i);
    }
  }
  return groups;
}

}  // namespace gsst::experiments
