// gsst_measure_encode: measures encoder stages on a GPU and writes results as JSON.
#include <CLI/CLI.hpp>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "experiments/measure/input_file.hpp"
#include "experiments/measure_encode/encode_measurement.hpp"
#include "experiments/measure_shared/command_line.hpp"
#include "experiments/measure_shared/measured_text.hpp"
#include "experiments/measure_shared/session.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

std::vector<EncodePoint> read_all_points(const RunOptions& options) {
  std::vector<EncodePoint> all;
  for (const std::filesystem::path& path : options.points) {
    const std::vector<EncodePoint> points = read_encode_points(path);
    all.insert(all.end(), points.begin(), points.end());
  }
  return all;
}

void report(const Json& row) {
  std::cerr << row["stage"].get<std::string>() << ' ' << row["variant"].get<std::string>() << ' '
            << row["parameters"].dump() << (row["end_to_end"].get<bool>() ? ", end to end" : "") << ": ratio "
            << row["ratio"].get<double>() << ", " << row["throughput_gb_per_s"].get<double>() << " GB/s";
  std::cerr << ", streaming limit " << row["streaming_limit_gb_per_s"].get<double>() << " GB/s";
  if (row.contains("phase_seconds")) std::cerr << ", phases " << row["phase_seconds"].dump();
  std::cerr << std::endl;
}

void measure(const RunOptions& run, const InputOptions& input, const std::string& target) {
  const std::vector<EncodePoint> points = read_all_points(run);
  const std::vector<std::uint8_t> text = read_input_file(input.path);
  Session session(run);
  check_text_size(text.size(), session.device().l2_bytes, run);
  std::optional<EncodeMeasurement> measurement;
  std::vector<Json> rows;
  for (const EncodePoint& point : points) {
    // Both rows of a point are measured together, so they are kept together.
    const Json work = point_to_json(point);
    if (session.find(work, input.dataset) == nullptr) {
      if (!measurement) measurement.emplace(text, input.dataset, run.repetitions, session.monitor());
      session.keep(work, input.dataset, measurement->measure(point));
      for (const Json& row : *session.find(work, input.dataset)) report(row);
    }
    for (const Json& row : *session.find(work, input.dataset)) rows.push_back(row);
  }
  session.finish_with(target, rows);
}

int run(int argc, char** argv) {
  CLI::App app(
      "Measures encoder stages on a GPU; the oracle decodes every frame before and after the timing.");
  RunOptions options;
  InputOptions input;
  std::string target;
  app.add_option("--target", target, "Target of the result")->required();
  add_points_option(app, options, "experiments/measure_encode/encode_points.hpp; may be repeated");
  add_result_options(app, options, command_text(argc, argv));
  add_timing_options(app, options);
  add_input_options(app, input);
  if (const std::optional<int> status = parse_command_line(app, argc, argv)) return *status;
  measure(options, input, target);
  return 0;
}

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_program("gsst_measure_encode", gsst::experiments::run, argc, argv);
}
