#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "common/pipeline/buffer.hpp"
#include "common/pipeline/queue.hpp"
#include "common/stage/stage.hpp"
#include "experiments/measure/shared/points.hpp"
#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_overlap/grid.hpp"

namespace gsst::experiments {

/// What a measurement needs of the executor beside the pipeline.
struct ExecutorTools {
  stage::Executor executor;
  /// Sets each byte of `output` to another value than `expected` has. Both are memory of the executor.
  std::function<void(std::uint8_t* output, const std::uint8_t* expected, std::size_t bytes)> poison;
  /// The number of bytes in which the two differ.
  std::function<std::uint64_t(const std::uint8_t* output, const std::uint8_t* expected, std::size_t bytes)>
      count_differences;
  /// Seconds that the work which `enqueue` puts on `queue` takes on the executor; waits for it.
  std::function<double(pipeline::Queue& queue, const std::function<void()>& enqueue)> seconds;
  /// Calls `work` and says at what clocks it ran (summarize_samples()).
  std::function<nlohmann::ordered_json(const std::function<void()>& work)> clocks_during;
  /// Blocks of `splits` splits that the executor's threads allow at the same time.
  std::function<std::uint64_t(std::uint32_t splits)> full_wave;
};

/// Measures how long a text takes from its frame in page-locked host memory to the decoded bytes in the
/// executor's memory, with transfer and decoding overlapping by batches, and the parts that the model
/// predicts it from (thesis, Equations 3.5 and 3.6).
class OverlapMeasurement {
public:
  /// Copies `text` to the executor; it must outlive the object, as `tools` must. Throws cuda::CudaError.
  OverlapMeasurement(std::span<const std::uint8_t> text, Dataset dataset, unsigned repetitions,
                     const ExecutorTools& tools);

  /// The rows of `point`, one for each number of batches at each interconnect. Every number of batches is
  /// verified byte for byte before and after it is timed; the repetitions of all come in random order. A row
  /// has the keys of the result contract, `end_to_end` (true: its time holds the transfer), `batches`, as
  /// many as there are, `blocks_per_batch`, `last_batch_blocks`, `full_wave_blocks`, `interconnect_gb_per_s`
  /// (null for the one there is), `clocks`, and what was measured alone in the same run, in GB/s:
  /// `transfer_gb_per_s` (compressed bytes), `decode_gb_per_s` (all of the frame) and `batch_decode_gb_per_s`
  /// (the first batch). Throws MismatchError, format::FormatError, cuda::CudaError.
  std::vector<nlohmann::ordered_json> measure(const Point& point, const OverlapGrid& grid);

private:
  std::span<const std::uint8_t> text_;
  Dataset dataset_;
  unsigned repetitions_;
  const ExecutorTools& tools_;
  pipeline::Buffer expected_;
  pipeline::Buffer output_;
};

}  // namespace gsst::experiments
