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

/// Measures how fast the library decompresses frames of one text with and without comparing their checksums.
class ChecksumsMeasurement {
public:
  /// Copies `text` to the device; it must outlive the object. Throws CudaError.
  ChecksumsMeasurement(std::span<const std::uint8_t> text, Dataset dataset, unsigned repetitions,
                       const DeviceMonitor& monitor);

  /// The rows of the frame of `point`, whose parameters of the stage do not count: the library takes its own.
  /// Of format splits there is a second frame, which the GPU writes: the CPU's checksums are each of a whole
  /// block, the GPU's of pieces. Each frame is decompressed on the GPU, and the start of the CPU's on one
  /// thread, both with checksums compared and not, in random order. Everything is verified byte for byte
  /// before and after. Beside the keys of the result contract a row has `format`, `written_by` and `executor`
  /// (cpu or gpu), `checksums` (compared or skipped) and `clocks`, which is null on the CPU. Throws
  /// MismatchError, CudaError.
  std::vector<nlohmann::ordered_json> measure(const Point& point);

private:
  struct Frame;

  std::vector<nlohmann::ordered_json> measure_on_gpu(const Frame& frame);
  std::vector<nlohmann::ordered_json> measure_on_cpu(const Frame& frame) const;
  std::vector<nlohmann::ordered_json> make_rows(const Frame& frame, const char* executor,
                                                const std::vector<std::vector<double>>& seconds,
                                                const nlohmann::ordered_json& clocks) const;

  std::span<const std::uint8_t> text_;
  Dataset dataset_;
  unsigned repetitions_;
  const DeviceMonitor& monitor_;
  cuda::DeviceBuffer expected_;
  cuda::DeviceBuffer output_;
};

}  // namespace gsst::experiments
