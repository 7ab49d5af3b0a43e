#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "common/cuda/device_buffer.hpp"
#include "experiments/measure/row.hpp"
#include "experiments/measure_ranges/range_lists.hpp"
#include "experiments/measure_ranges/ranges_grid.hpp"
#include "experiments/measure_shared/device_monitor.hpp"
#include "library/decompress_plan.hpp"
#include "library/gpu_decompress_plan.hpp"

namespace gsst::experiments {

/// Measures random access to one frame, which stays on the device and in host memory, at lists of ranges.
/// Beside the keys of the result contract a row has `pattern`, `selectivity`, `range_bytes`, `range_count`
/// and `wanted_bytes`. Throughput counts the bytes that the ranges ask for.
class RangesMeasurement {
public:
  /// Compresses `text`, which must outlive the object, on the CPU, and copies the frame to the device. Throws
  /// CudaError.
  RangesMeasurement(std::span<const std::uint8_t> text, Dataset dataset, const RangesFrame& frame,
                    unsigned repetitions, const DeviceMonitor& monitor);

  /// The row of a list: verifies its output byte for byte, times it and the decoding of the whole frame in
  /// random order, and verifies it again. Also has `full_decode_gb_per_s` and `clocks`. Throws InputError,
  /// MismatchError, CudaError.
  nlohmann::ordered_json measure(const RangeListRequest& request);

  /// The same through the library on the CPU, from host memory to host memory, with a thread for each
  /// processor. Throws InputError, MismatchError.
  nlohmann::ordered_json measure_on_cpu(const RangeListRequest& request);

private:
  nlohmann::ordered_json row(const std::string& stage, const RangeListRequest& request,
                             std::uint64_t range_count, const SecondsSummary& seconds) const;

  std::span<const std::uint8_t> text_;
  Dataset dataset_;
  RangesFrame frame_options_;
  unsigned repetitions_;
  const DeviceMonitor& monitor_;
  std::vector<std::uint8_t> frame_;
  library::GpuDecompressPlan plan_;
  library::DecompressPlan cpu_plan_;
  cuda::DeviceBuffer frame_on_device_;
  cuda::DeviceBuffer output_;
  cuda::DeviceBuffer scratch_;
  cuda::DeviceBuffer status_;
};

}  // namespace gsst::experiments
