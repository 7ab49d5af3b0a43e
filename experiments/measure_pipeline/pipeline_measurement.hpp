#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <vector>

#include "common/pipeline/buffer.hpp"
#include "common/stage/stage.hpp"
#include "experiments/measure/shared/points.hpp"
#include "experiments/measure/shared/row.hpp"

namespace gsst::experiments {

/// What a measurement needs of the executor.
struct PipelineTools {
  stage::Executor executor;
  /// Calls `work` and says at what clocks it ran (summarize_samples()).
  std::function<nlohmann::ordered_json(const std::function<void()>& work)> clocks_during;
};

/// Measures how long a text takes from page-locked host memory to its bare file (FORMAT.md, section 11.2) in
/// page-locked host memory, and the way back, by what a stage registers as zero_length::HostToHost.
class PipelineMeasurement {
public:
  /// Takes page-locked host memory for three times `text`, which must outlive the object. Throws
  /// std::bad_alloc, cuda::CudaError.
  PipelineMeasurement(std::span<const std::uint8_t> text, Dataset dataset, unsigned repetitions,
                      const PipelineTools& tools);

  /// Two rows of `point`, an encoder's: `operation` encode and decode. Its parameters say how batches are
  /// made. The file is compared with the codec's and what it decodes to with the text, byte for byte, before
  /// and after the timing; the repetitions of all come in random order. A row has the keys of the result
  /// contract, `end_to_end` (true: its time holds all copies), `batch_bytes`, `batches`, `device_bytes` (of
  /// all slots), `clocks`, and `two_way_copy_gb_per_s`, of the same bytes in and out without kernels: GB/s of
  /// the text, as the throughput is. Throws InputError for a stage that does not go from host memory to host
  /// memory, MismatchError, cuda::CudaError.
  std::vector<nlohmann::ordered_json> measure(const Point& point);

private:
  // The codec's file for blocks of that many bytes; makes room for files as long.
  void make_expected(std::uint64_t block_bytes);

  std::span<const std::uint8_t> text_;
  Dataset dataset_;
  unsigned repetitions_;
  const PipelineTools& tools_;
  pipeline::Buffer input_;
  pipeline::Buffer file_;
  // Holds the decoded bytes, or what a copy brings.
  pipeline::Buffer output_;
  std::uint64_t block_bytes_ = 0;
  std::vector<std::uint8_t> expected_;
};

}  // namespace gsst::experiments
