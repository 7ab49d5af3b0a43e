#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "experiments/measure_gpu/device_description.hpp"
#include "experiments/measure_gpu/device_monitor.hpp"
#include "experiments/measure_gpu/partial_rows.hpp"
#include "experiments/measure_gpu/points.hpp"
#include "experiments/measure_gpu/result_file.hpp"
#include "experiments/measure_gpu/run_options.hpp"

namespace gsst::experiments {

/// One run of the program on one GPU: measures lists of points on texts, keeps what is finished beside the
/// output, and describes itself.
class Session {
public:
  /// `options` must outlive the session. Throws CudaError where there is no GPU.
  explicit Session(const RunOptions& options);

  /// The points of all points files, and the first target that they name.
  PointList read_points() const;

  /// The rows of `points` on `text`, in their order. Those that an interrupted run finished are not measured
  /// again. Throws InputError if the text is not several times the L2 cache, and what
  /// FrameMeasurement::measure() throws.
  std::vector<nlohmann::ordered_json> measure(std::span<const Point> points,
                                              std::span<const std::uint8_t> text, const Dataset& dataset);

  /// The environment of `rows`, which this session or one that it goes on with has measured.
  Environment environment(std::span<const nlohmann::ordered_json> rows) const;

  /// Writes the complete output and removes what was kept of finished rows.
  void finish(const nlohmann::ordered_json& document) const;

private:
  nlohmann::ordered_json key(const Point& point, const Dataset& dataset) const;
  void check_size(std::size_t bytes) const;

  const RunOptions& options_;
  DeviceDescription device_;
  DeviceMonitor monitor_;
  PartialRows partial_;
  std::string start_date_;
};

}  // namespace gsst::experiments
