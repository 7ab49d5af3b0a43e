#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "common/cuda/device_buffer.hpp"
#include "experiments/measure/row.hpp"
#include "experiments/measure_gpu/points.hpp"
#include "experiments/measure_shared/device_monitor.hpp"

namespace gsst::experiments {

/// Measures points on one text, which stays on the device beside one output buffer; the points' frame is
/// there only while they are measured.
class FrameMeasurement {
public:
  /// Copies `text` to the device; it must outlive the object, as `monitor` must. Throws CudaError.
  FrameMeasurement(std::span<const std::uint8_t> text, Dataset dataset, unsigned repetitions,
                   const DeviceMonitor& monitor);

  /// The rows of `points`, which share a frame: compresses the text on the host, verifies each point,
  /// measures the streaming limit, times the points in random order, and verifies each again. Every
  /// verification poisons the output first. A point that asks for times of a graph is one more work, which is
  /// verified and timed in the same way. A row has the keys of the result contract,
  /// `streaming_limit_moved_gb_per_s` and `copy_moved_gb_per_s` (bytes read and written),
  /// `streaming_limit_variant`, `clocks` and the keys of its point's `row`. Throws MismatchError,
  /// format::FormatError, CudaError.
  std::vector<nlohmann::ordered_json> measure(std::span<const Point> points);

private:
  std::span<const std::uint8_t> text_;
  Dataset dataset_;
  unsigned repetitions_;
  const DeviceMonitor& monitor_;
  cuda::DeviceBuffer expected_;
  cuda::DeviceBuffer output_;
};

}  // namespace gsst::experiments
