#include "fuzz/kernels/fuzz_run.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <future>
#include <iterator>
#include <utility>

#include "common/format/block.hpp"

namespace gsst::fuzz {
namespace {

using Clock = std::chrono::steady_clock;
// Stand in the place of a stage.
constexpr auto* ranges_name = "library/ranges";
constexpr auto* device_frames_name = "library/frames";
using Stages = std::vector<const stage::RegisteredStage*>;

// The stages of each format, in the order of the ids.
std::vector<Stages> by_format(const Stages& stages) {
  std::map<format::BlockFormat, Stages> found;
  for (const stage::RegisteredStage* stage : stages) found[stage->description.format].push_back(stage);
  std::vector<Stages> formats;
  formats.reserve(found.size());
  for (auto& [format, of_format] : found) formats.push_back(std::move(of_format));
  return formats;
}

// What the threads of a run share.
struct Progress {
  explicit Progress(const RunOptions& options) : next_batch(options.first_batch) {}

  std::atomic<std::uint64_t> next_batch;
  std::atomic<bool> failed = false;
};

class Worker {
public:
  Worker(const RunOptions& options, Clock::time_point start, Progress& progress)
      : options_(options), formats_(by_format(options.stages)), start_(start), progress_(progress) {}

  RunResult run() {
    while (!progress_.failed && !(options_.duration && Clock::now() - start_ >= *options_.duration)) {
      const std::uint64_t batch = progress_.next_batch++;
      const std::uint64_t made = (batch - options_.first_batch) * options_.batch_inputs;
      if (options_.inputs && made >= *options_.inputs) break;
      run_batch(batch);
    }
    return std::move(result_);
  }

private:
  void run_batch(std::uint64_t number) {
    const Stages& stages = formats_[number % formats_.size()];
    const stage::RegisteredStage& stage = *stages[number / formats_.size() % stages.size()];
    Random random(options_.seed, number);
    const Batch batch = make_batch(stage.description.format, options_.batch_inputs, random);
    StageCounts& counts = result_.counts[stage.description.id];
    std::vector<Finding> findings = check_batch(batch, stage, options_.executor, random, counts);
    report(stage.description.id, number, batch, std::move(findings));
    if (options_.runs_library) run_library(stage.description.format, number, batch, random);
  }

  void run_library(format::BlockFormat format, std::uint64_t number, const Batch& batch, Random& random) {
    const std::string name(format::block_format_name(format));
    report(device_frames_name, number, batch,
           check_device_frames(batch, options_.executor, device_frame_decoder(options_.executor), random,
                               result_.device_frames[name]));
    if (!library::has_range_decoder(format)) return;
    RangeCounts& ranges = result_.ranges[name];
    report(ranges_name, number, batch,
           check_ranges(batch, options_.executor, range_decoder(options_.executor), random, ranges));
  }

  void report(const std::string& stage, std::uint64_t number, const Batch& batch,
              std::vector<Finding> findings) {
    if (findings.empty()) return;
    progress_.failed = true;
    result_.failures.push_back(
        {.stage = stage, .batch = number, .frame = batch.frame, .findings = std::move(findings)});
  }

  const RunOptions& options_;
  std::vector<Stages> formats_;
  Clock::time_point start_;
  Progress& progress_;
  RunResult result_;
};

}  // namespace

StageCounts& StageCounts::operator+=(const StageCounts& other) {
  launches += other.launches;
  inputs += other.inputs;
  refused_by_plan += other.refused_by_plan;
  outcomes.decoded_alike += other.outcomes.decoded_alike;
  outcomes.refused_alike += other.outcomes.refused_alike;
  return *this;
}

std::vector<Finding> check_batch(const Batch& batch, const stage::RegisteredStage& stage,
                                 stage::Executor executor, Random& random, StageCounts& counts) {
  counts.inputs += batch.inputs;
  counts.refused_by_plan += batch.refused_by_plan;
  if (batch.expected.outputs.empty()) return {};
  ++counts.launches;
  try {
    return compare(batch.expected, decode_guarded(stage, executor, batch.frame, random), counts.outcomes);
  } catch (const std::exception& error) {
    return {{.block = std::nullopt, .what = error.what()}};
  }
}

RunResult run_batches(const RunOptions& options) {
  Progress progress(options);
  const Clock::time_point start = Clock::now();
  std::vector<std::future<RunResult>> threads;
  for (unsigned i = 0; i < options.threads; ++i) {
    threads.push_back(std::async(std::launch::async, [&] { return Worker(options, start, progress).run(); }));
  }
  RunResult whole;
  for (std::future<RunResult>& thread : threads) {
    RunResult part = thread.get();
    for (const auto& [id, counts] : part.counts) whole.counts[id] += counts;
    for (const auto& [format, counts] : part.ranges) whole.ranges[format] += counts;
    for (const auto& [format, counts] : part.device_frames) whole.device_frames[format] += counts;
    std::ranges::move(part.failures, std::back_inserter(whole.failures));
  }
  return whole;
}

}  // namespace gsst::fuzz
