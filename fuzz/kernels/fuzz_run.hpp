#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/stage/registry.hpp"
#include "fuzz/kernels/comparison.hpp"
#include "fuzz/kernels/device_frame_check.hpp"
#include "fuzz/kernels/range_check.hpp"

/// Batch after batch through the decoders, by several threads, until enough or until the first finding.
namespace gsst::fuzz {

/// The formats that a stage decodes on `executor`, in this program.
std::set<format::BlockFormat> decoded_formats(stage::Executor executor);

struct RunOptions {
  stage::Executor executor = stage::Executor::simt;
  /// Whether the frame of each batch is checked and decompressed in the executor's memory too, where the
  /// library does that: on simt and gpu, for formats that its check knows.
  bool runs_device_frames = true;
  /// Decoders. Batches take turns in their formats, and those of a format in its decoders.
  std::vector<const stage::RegisteredStage*> stages;
  /// Decoders of ranges: each takes every batch of its formats.
  std::vector<const stage::RegisteredStage*> range_stages;
  /// The formats of batches; not empty.
  std::vector<format::BlockFormat> formats;
  /// A batch depends on the seed, its number, its size and the stages, not on the threads.
  std::uint64_t seed = 1;
  std::uint64_t first_batch = 0;
  /// Blocks that are made for one launch, those included that the plan refuses.
  std::uint32_t batch_inputs = 1;
  /// Blocks of the whole run, rounded up to whole batches; nothing for no limit.
  std::optional<std::uint64_t> inputs;
  /// No batch is begun later.
  std::optional<std::chrono::seconds> duration;
  unsigned threads = 1;
};

/// What a stage was given and did with it.
struct StageCounts {
  std::uint64_t launches = 0;
  std::uint64_t inputs = 0;
  std::uint64_t refused_by_plan = 0;
  Outcomes outcomes;

  StageCounts& operator+=(const StageCounts& other);
};

/// A batch that a decoder did something wrong with.
struct Failure {
  std::string stage;
  std::uint64_t batch;
  std::vector<std::uint8_t> frame;
  std::vector<Finding> findings;
};

struct RunResult {
  /// By the stage's id.
  std::map<std::string, StageCounts> counts;
  /// Of decoders of ranges, by the stage's id and the name of the format.
  std::map<std::string, std::map<std::string, RangeCounts>> ranges;
  /// Of the same frames in the executor's memory, by the name of their format.
  std::map<std::string, DeviceFrameCounts> device_frames;
  /// The first of each thread.
  std::vector<Failure> failures;
};

/// Runs batches as `options` says.
RunResult run_batches(const RunOptions& options);

/// Decodes `batch` with `stage` and compares; an exception of the stage is a finding. Adds to `counts`.
std::vector<Finding> check_batch(const Batch& batch, const stage::RegisteredStage& stage,
                                 stage::Executor executor, Random& random, StageCounts& counts);

}  // namespace gsst::fuzz
