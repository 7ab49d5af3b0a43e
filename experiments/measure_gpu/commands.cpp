#include "experiments/measure_gpu/commands.hpp"

#include <algorithm>
#include <cstdio>
#include <span>

#include "common/cuda/device_buffer.hpp"
#include "experiments/measure/input_file.hpp"
#include "experiments/measure_gpu/point_rows.hpp"
#include "experiments/measure_gpu/sweep_choice.hpp"
#include "experiments/measure_shared/session.hpp"
#include "experiments/measure_shared/streaming_limit.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

// The two texts of a sweep. Both keep the file's name and digest; a part says which one it is.
struct SweepTexts {
  std::span<const std::uint8_t> tuning;
  Dataset tuning_dataset;
  std::span<const std::uint8_t> report;
  Dataset report_dataset;
};

SweepTexts parts_of(std::span<const std::uint8_t> input, const Dataset& dataset) {
  const std::size_t quarter = input.size() / 4;
  return {.tuning = input.first(quarter),
          .tuning_dataset = {dataset.name + ", first quarter", dataset.sha256},
          .report = input.subspan(quarter),
          .report_dataset = {dataset.name + ", last three quarters", dataset.sha256}};
}

std::vector<Point> chosen_points(std::span<const Point> points, std::span<const Json> rows) {
  std::vector<Point> chosen;
  for (const std::size_t i : choose_fastest(rows)) chosen.push_back(points[i]);
  return chosen;
}

}  // namespace

void run_measure(const MeasureOptions& options) {
  Session session(options.run);
  const PointList list = read_points(options.run.points, session.device().multiprocessors);
  const std::string target = target_of(list, options.target);
  const std::vector<std::uint8_t> text = read_input_file(options.input.path);
  session.finish_with(target, measure_points(session, options.run, list.points, text, options.input.dataset));
}

void run_sweep(const SweepOptions& options) {
  Session session(options.run);
  const std::vector<Point> points = read_points(options.run.points, session.device().multiprocessors).points;
  const std::vector<std::uint8_t> input = read_input_file(options.input.path);
  std::vector<std::uint8_t> other;
  SweepTexts texts = parts_of(input, options.input.dataset);
  if (!options.report.path.empty()) {
    other = read_input_file(options.report.path);
    texts = {input, options.input.dataset, other, options.report.dataset};
  }
  const std::vector<Json> candidates =
      measure_points(session, options.run, points, texts.tuning, texts.tuning_dataset);
  const std::vector<Point> chosen = chosen_points(points, candidates);
  const std::vector<Json> report =
      measure_points(session, options.run, chosen, texts.report, texts.report_dataset);
  std::vector<Json> all = candidates;
  all.insert(all.end(), report.begin(), report.end());
  Json choice = Json::array();
  for (const Point& point : chosen) choice.push_back(point_to_json(point));
  session.finish({{"schema", 1},
                  {"environment", environment_to_json(session.environment(all))},
                  {"sources_digest", options.run.sources_digest},
                  {"points", choice},
                  {"candidates", candidates},
                  {"report", report}});
}

void run_limit(std::size_t read_bytes, std::size_t written_bytes) {
  constexpr unsigned repetitions = 10;
  cuda::DeviceBuffer input(read_bytes);
  cuda::DeviceBuffer output(written_bytes);
  input.fill(1);
  output.fill(0);
  const StreamingLimit limit = measure_streaming_limit({.input = input.data(),
                                                        .read_bytes = read_bytes,
                                                        .output = output.data(),
                                                        .written_bytes = written_bytes},
                                                       repetitions);
  const double copy = limit.copy_bytes_per_second * 1e-9;
  std::printf("%8.1f GB/s  copy\n", copy);
  for (const StreamingTime& time : limit.variants) {
    const double moved = gigabytes_per_second(read_bytes + written_bytes, time.seconds);
    std::printf("%8.1f GB/s  %5.1f %% of the copy  %s\n", moved, 100 * moved / copy, time.variant.c_str());
  }
}

}  // namespace gsst::experiments
