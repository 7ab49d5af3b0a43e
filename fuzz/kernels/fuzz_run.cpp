#include "fuzz/kernels/fuzz_run.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <future>
#include <iterator>
#include <utility>

#include "common/format/formats.hpp"

namespace gsst::fuzz {
namespace {

using Clock = std::chrono::steady_clock;
// Stands in the place of a stage.
constexpr auto* device_frames_name = "device_frames";

// What batches of a format go through.
struct FormatStages {
  format::BlockFormat format;
  std::vector<const stage::RegisteredStage*> decoders;
  std::vector<const stage::RegisteredStage*> range_decoders;
};

std::vector<FormatStages> by_format(const RunOptions& options) {
  std::vector<FormatStages> formats;
  for (const format::BlockFormat format : options.formats) {
    FormatStages& of_format =
        formats.emplace_back(FormatStages{.format = format, .decoders = {}, .range_decoders = {}});
    for (const stage::RegisteredStage* stage : options.stages) {
      if (stage->description.format == format) of_format.decoders.push_back(stage);
    }
    for (const stage::RegisteredStage* stage : options.range_stages) {
      if (stage->ranges.at(options.executor).decodes(format)) of_format.range_decoders.push_back(stage);
    }
  }
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
      : options_(options), formats_(by_format(options)), start_(start), progress_(progress) {}

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
    const FormatStages& stages = formats_[number % formats_.size()];
    Random random(options_.seed, number);
    const Batch batch = make_batch(stages.format, options_.batch_inputs, random);
    if (!stages.decoders.empty()) {
      const stage::RegisteredStage& stage =
          *stages.decoders[number / formats_.size() % stages.decoders.size()];
      report(stage.description.id, number, batch,
             check_batch(batch, stage, options_.executor, random, result_.counts[stage.description.id]));
    }
    const std::string name(format::block_format_name(stages.format));
    if (options_.runs_device_frames && options_.executor != stage::Executor::cpu &&
        library::checks_frames_of(stages.format)) {
      report(device_frames_name, number, batch,
             check_device_frames(batch, options_.executor, device_frame_decoder(options_.executor), random,
                                 result_.device_frames[name]));
    }
    for (const stage::RegisteredStage* stage : stages.range_decoders) {
      const std::string& id = stage->description.id;
      report(id, number, batch,
             check_ranges(batch, *stage, options_.executor, random, result_.ranges[id][name]));
    }
  }

  void report(const std::string& stage, std::uint64_t number, const Batch& batch,
              std::vector<Finding> findings) {
    if (findings.empty()) return;
    progress_.failed = true;
    result_.failures.push_back(
        {.stage = stage, .batch = number, .frame = batch.frame, .findings = std::move(findings)});
  }

  const RunOptions& options_;
  std::vector<FormatStages> formats_;
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

std::set<format::BlockFormat> decoded_formats(stage::Executor executor) {
  std::set<format::BlockFormat> formats;
  for (const stage::RegisteredStage& stage : stage::registered_stages(stage::Operation::decode)) {
    if (is_registered_for(stage, executor)) formats.insert(stage.description.format);
  }
  return formats;
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
    for (const auto& [id, formats] : part.ranges) {
      for (const auto& [format, counts] : formats) whole.ranges[id][format] += counts;
    }
    for (const auto& [format, counts] : part.device_frames) whole.device_frames[format] += counts;
    std::ranges::move(part.failures, std::back_inserter(whole.failures));
  }
  return whole;
}

}  // namespace gsst::fuzz
