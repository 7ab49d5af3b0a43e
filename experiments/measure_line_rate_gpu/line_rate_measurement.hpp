#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "common/stage/stage.hpp"
#include "experiments/measure/shared/points.hpp"
#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_line_rate/expected_blocks.hpp"
#include "experiments/measure_line_rate_gpu/paced_points.hpp"

namespace gsst::experiments {

/// What a measurement needs of the executor.
struct LineRateTools {
  stage::Executor executor;
  /// Calls `work` and says at what clocks it ran (summarize_samples()).
  std::function<nlohmann::ordered_json(const std::function<void()>& work)> clocks_during;
};

/// Measures whether a stage that registers zero_length::HostToHost encodes blocks as fast as paced sources
/// deliver them.
class LineRateMeasurement {
public:
  /// `text` and `tools` must outlive the object.
  LineRateMeasurement(std::span<const std::uint8_t> text, Dataset dataset, const SourceOptions& options,
                      const LineRateTools& tools);

  /// The row of `point`, an encoder's, whose parameters say how batches are made: it has the keys of
  /// paced_row(), what the point says under `row`, `end_to_end` (true: all copies are part of it), `batches`,
  /// `device_bytes` (of all slots) and `clocks`. Throws InputError for a stage that does not go from host
  /// memory to host memory, and for blocks that packets do not divide or the ring or the text does not hold;
  /// MismatchError, cuda::CudaError.
  nlohmann::ordered_json measure(const Point& point);

private:
  // Of blocks of that many bytes.
  const ExpectedBlocks& expected_blocks(std::uint64_t block_bytes);

  std::span<const std::uint8_t> text_;
  Dataset dataset_;
  SourceOptions options_;
  const LineRateTools& tools_;
  std::optional<ExpectedBlocks> blocks_;
};

}  // namespace gsst::experiments
