#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "common/format/formats.hpp"
#include "common/frame/frame.hpp"
#include "common/stage/run_decode.hpp"
#include "fuzz/kernels/report.hpp"

// Changed blocks, thousands in a launch, through every stage that decodes: each must give the oracle's bytes
// or refuse where the oracle refuses, and write nothing else. So must stages that decode ranges, and the
// check of frames that only the executor reads. Exit status 1: one did not.

namespace {

using gsst::fuzz::RunOptions;
using gsst::stage::Executor;
using gsst::stage::RegisteredStage;

struct CommandLine {
  std::string device = "gpu";
  std::uint64_t seed = 1;
  std::uint64_t first_batch = 0;
  std::uint64_t inputs = 0;
  std::uint64_t seconds = 0;
  std::uint32_t batch = 0;
  unsigned threads = 0;
  std::vector<std::string> formats;
  std::vector<std::string> stages;
  bool without_device_frames = false;
  std::string replay;
  std::string findings = ".";
  std::string json;
  std::string commit = "unknown";
};

void add_options(CLI::App& app, CommandLine& line) {
  app.add_option("--device", line.device, "Where kernels run")
      ->check(CLI::IsMember({"cpu", "simt", "gpu"}))
      ->capture_default_str();
  app.add_option("--seed", line.seed, "Decides all inputs")->capture_default_str();
  auto* const limits = app.add_option_group("limit");
  limits->add_option("--inputs", line.inputs, "Blocks to generate, rounded up to whole batches");
  limits->add_option("--seconds", line.seconds, "Starts no batch after this number of seconds");
  limits->add_option("--replay", line.replay, "Decodes this frame and generates no inputs")
      ->check(CLI::ExistingFile);
  limits->require_option(1, 0);
  app.add_option("--format", line.formats, "Names of formats; without it all that a stage decodes");
  app.add_option("--stage", line.stages,
                 "Ids of stages; without it all that decode the formats, or ranges of them");
  app.add_flag("--without-device-frames", line.without_device_frames, "Runs the stages only");
  app.add_option("--batch", line.batch, "Blocks to generate for one launch; 4096, on the CPU 48");
  app.add_option("--first-batch", line.first_batch, "Number of the first batch")->capture_default_str();
  app.add_option("--threads", line.threads, "Threads that generate and check inputs; one for each processor");
  app.add_option("--findings", line.findings, "Folder for what a decoder did wrong")
      ->check(CLI::ExistingDirectory)
      ->capture_default_str();
  app.add_option("--json", line.json, "File for the counts");
  app.add_option("--commit", line.commit, "Commit that the program was built from, for the counts");
}

bool names(const std::vector<std::string>& list, const std::string& name) {
  return list.empty() || std::ranges::find(list, name) != list.end();
}

Executor executor_of(const std::string& device) {
  return *std::ranges::find(gsst::stage::executors, device, gsst::stage::executor_name);
}

// Whether a chosen stage decodes `format`, or ranges of it.
bool is_decoded(gsst::format::BlockFormat format, const RunOptions& options) {
  return std::ranges::any_of(options.stages,
                             [&](const auto* stage) { return stage->description.format == format; }) ||
         std::ranges::any_of(options.range_stages, [&](const auto* stage) {
           return stage->ranges.at(options.executor).decodes(format);
         });
}

bool is_chosen(const RegisteredStage& stage, Executor executor, const CommandLine& line) {
  return is_registered_for(stage, executor) && names(line.stages, stage.description.id);
}

RunOptions make_options(const CommandLine& line) {
  RunOptions options;
  options.executor = executor_of(line.device);
  options.seed = line.seed;
  options.first_batch = line.first_batch;
  options.runs_device_frames = !line.without_device_frames;
  const bool gpu = options.executor == Executor::gpu;
  if (!gsst::stage::is_available(options.executor)) throw std::invalid_argument("there is no GPU here");
  for (const RegisteredStage& stage : gsst::stage::registered_stages(gsst::stage::Operation::decode)) {
    if (is_chosen(stage, options.executor, line)) options.stages.push_back(&stage);
  }
  for (const RegisteredStage& stage : gsst::stage::registered_stages(gsst::stage::Operation::ranges)) {
    if (is_chosen(stage, options.executor, line)) options.range_stages.push_back(&stage);
  }
  for (const auto format : gsst::fuzz::decoded_formats(options.executor)) {
    const std::string name(gsst::format::block_format_name(format));
    if (names(line.formats, name) && is_decoded(format, options)) options.formats.push_back(format);
  }
  if (options.formats.empty()) throw std::invalid_argument("no stage of this program has these names");
  // On the CPU a launch takes as long as its blocks.
  options.batch_inputs = line.batch != 0 ? line.batch : (gpu ? 4096U : 48U);
  if (line.inputs != 0) options.inputs = line.inputs;
  if (line.seconds != 0) options.duration = std::chrono::seconds(line.seconds);
  options.threads = line.threads != 0 ? line.threads : std::max(std::thread::hardware_concurrency(), 1U);
  return options;
}

std::vector<std::uint8_t> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::invalid_argument("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void print_findings(const std::vector<gsst::fuzz::Finding>& found) {
  for (const auto& finding : found) {
    std::cout << "  " << (finding.block ? "block " + std::to_string(*finding.block) + ": " : "")
              << finding.what << "\n";
  }
}

// Ranges of the frame. Returns the number of findings.
std::size_t replay_ranges(const gsst::fuzz::Batch& batch, const RegisteredStage& stage,
                          const RunOptions& options) {
  gsst::fuzz::RangeCounts counts;
  gsst::fuzz::Random random(options.seed, options.first_batch);
  const auto found = gsst::fuzz::check_ranges(batch, stage, options.executor, random, counts);
  std::cout << stage.description.id << ": " << counts.decoded_alike << " decoded alike, "
            << counts.refused_alike << " refused alike, " << found.size() << " finding(s)\n";
  print_findings(found);
  return found.size();
}

// The frame in device memory. Returns the number of findings.
std::size_t replay_device_frame(const gsst::fuzz::Batch& batch, const RunOptions& options) {
  gsst::fuzz::DeviceFrameCounts counts;
  gsst::fuzz::Random random(options.seed, options.first_batch);
  const auto found = gsst::fuzz::check_device_frames(
      batch, options.executor, gsst::fuzz::device_frame_decoder(options.executor), random, counts);
  std::cout << "frames in device memory: " << counts.decoded_alike << " decoded alike, "
            << counts.refused_alike << " refused alike, " << found.size() << " finding(s)\n";
  print_findings(found);
  return found.size();
}

// Decodes the frame with every chosen stage of its format. Returns the number of findings.
std::size_t replay(const std::string& path, const RunOptions& options) {
  gsst::fuzz::Batch batch;
  batch.frame = read_file(path);
  batch.expected = gsst::fuzz::ask_oracle(batch.frame);
  batch.inputs = batch.expected.outputs.size();
  const auto format = gsst::format::parse_frame_header(batch.frame).format;
  std::size_t findings = 0;
  for (const RegisteredStage* stage : options.stages) {
    if (stage->description.format != format) continue;
    gsst::fuzz::StageCounts counts;
    gsst::fuzz::Random random(options.seed, options.first_batch);
    const auto found = gsst::fuzz::check_batch(batch, *stage, options.executor, random, counts);
    std::cout << stage->description.id << ": " << counts.outcomes.decoded_alike << " decoded alike, "
              << counts.outcomes.refused_alike << " refused alike, " << found.size() << " finding(s)\n";
    print_findings(found);
    findings += found.size();
  }
  if (options.runs_device_frames && options.executor != Executor::cpu &&
      gsst::library::checks_frames_of(format)) {
    findings += replay_device_frame(batch, options);
  }
  for (const RegisteredStage* stage : options.range_stages) {
    if (stage->ranges.at(options.executor).decodes(format)) {
      findings += replay_ranges(batch, *stage, options);
    }
  }
  return findings;
}

int run(const CommandLine& line) {
  const RunOptions options = make_options(line);
  if (!line.replay.empty()) return replay(line.replay, options) == 0 ? 0 : 1;
  // First: a kernel that ends the program leaves no other trace.
  std::cout << "seed " << options.seed << ", batches of " << options.batch_inputs << " inputs from "
            << options.first_batch << " on" << std::endl;
  const gsst::fuzz::RunResult result = gsst::fuzz::run_batches(options);
  std::cout << gsst::fuzz::counts_as_text(result);
  if (!line.json.empty()) gsst::fuzz::write_counts(line.json, options, result, line.commit);
  for (const gsst::fuzz::Failure& failure : result.failures) {
    std::cout << gsst::fuzz::write_failure(failure, options, line.findings);
  }
  return result.failures.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app("Changed blocks through the stages that decode, compared with the oracle",
               "gsst_fuzz_kernels");
  CommandLine line;
  add_options(app, line);
  CLI11_PARSE(app, argc, argv);
  return run(line);
} catch (const std::exception& error) {
  std::fprintf(stderr, "gsst_fuzz_kernels: %s\n", error.what());
  return 2;
}
