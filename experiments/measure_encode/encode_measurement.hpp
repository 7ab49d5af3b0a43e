#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "common/cuda/device_buffer.hpp"
#include "experiments/measure/row.hpp"
#include "experiments/measure_encode/encode_points.hpp"
#include "experiments/measure_shared/device_monitor.hpp"

namespace gsst::experiments {

/// Measures encoders on one text, which stays in device memory.
class EncodeMeasurement {
public:
  /// `text` and `monitor` must outlive the object. Throws CudaError.
  EncodeMeasurement(std::span<const std::uint8_t> text, Dataset dataset, unsigned repetitions,
                    const DeviceMonitor& monitor);

  /// Two rows, both with input, output and scratch memory on the device and nothing allocated in the timed
  /// part. `end_to_end` false: all phases with the tables loaded, by the device's clock, with the time of
  /// each phase in `phase_seconds`. `end_to_end` true: training, loading the tables and all phases, by the
  /// host's clock. Each has the median of both clocks over these repetitions, `device_seconds` and
  /// `host_seconds`; the host's runs from before the first launch until all is done. The oracle decodes the
  /// frame before and after the timing. Throws MismatchError if that is not the text, CudaError, and
  /// std::invalid_argument.
  std::vector<nlohmann::ordered_json> measure(const EncodePoint& point);

private:
  std::span<const std::uint8_t> text_;
  Dataset dataset_;
  unsigned repetitions_;
  const DeviceMonitor& monitor_;
  cuda::DeviceBuffer input_;
};

}  // namespace gsst::experiments
