#include "experiments/measure_gpu/point_rows.hpp"

#include <iostream>
#include <optional>

#include "experiments/measure_gpu/frame_measurement.hpp"
#include "experiments/measure_shared/measured_text.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

void report(const Json& row) {
  std::cerr << row["stage"].get<std::string>() << ' ' << row["parameters"].dump() << ": ratio "
            << row["ratio"].get<double>() << ", " << row["throughput_gb_per_s"].get<double>()
            << " GB/s, streaming limit " << row["streaming_limit_gb_per_s"].get<double>()
            << " GB/s, which moves " << row["streaming_limit_moved_gb_per_s"].get<double>()
            << " GB/s; a copy moves " << row["copy_moved_gb_per_s"].get<double>() << " GB/s" << std::endl;
}

}  // namespace

std::vector<Json> measure_points(Session& session, const RunOptions& options, std::span<const Point> points,
                                 std::span<const std::uint8_t> text, const Dataset& dataset) {
  check_text_size(text.size(), session.device().l2_bytes, options);
  std::optional<FrameMeasurement> measurement;
  for (const std::vector<std::size_t>& group : group_by_frame(points)) {
    std::vector<Point> missing;
    for (const std::size_t i : group) {
      if (session.find(point_to_json(points[i]), dataset) == nullptr) missing.push_back(points[i]);
    }
    if (missing.empty()) continue;
    if (!measurement) measurement.emplace(text, dataset, options.repetitions, session.monitor());
    const std::vector<Json> rows = measurement->measure(missing);
    for (std::size_t i = 0; i < missing.size(); ++i) {
      session.keep(point_to_json(missing[i]), dataset, rows[i]);
      report(rows[i]);
    }
  }
  std::vector<Json> rows;
  for (const Point& point : points) rows.push_back(*session.find(point_to_json(point), dataset));
  return rows;
}

}  // namespace gsst::experiments
