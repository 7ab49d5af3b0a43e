// gsst_measure_checksums: measures what the comparison of checksums costs and writes a result as JSON.
#include <CLI/CLI.hpp>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "experiments/measure/input_file.hpp"
#include "experiments/measure_checksums/checksums_measurement.hpp"
#include "experiments/measure_gpu/points.hpp"
#include "experiments/measure_shared/command_line.hpp"
#include "experiments/measure_shared/measured_text.hpp"
#include "experiments/measure_shared/result_file.hpp"
#include "experiments/measure_shared/session.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

void report(const Json& row) {
  std::cerr << row["stage"].get<std::string>() << ", blocks of " << row["parameters"]["block_bytes"]
            << " bytes written by the " << row["written_by"].get<std::string>() << ", on the "
            << row["executor"].get<std::string>() << ", checksums " << row["checksums"].get<std::string>()
            << ": " << row["throughput_gb_per_s"].get<double>() << " GB/s" << std::endl;
}

void measure(const RunOptions& run, const InputOptions& input, const std::string& target) {
  Session session(run);
  const PointList list = read_points(run.points, session.device().multiprocessors);
  const std::string target_of_result = target_of(list, target);
  const std::vector<std::uint8_t> text = read_input_file(input.path);
  check_text_size(text.size(), session.device().l2_bytes, run);
  ChecksumsMeasurement measurement(text, input.dataset, run.repetitions, session.monitor());
  std::vector<Json> rows;
  std::vector<Json> rows_of_gpu;
  for (const Point& point : list.points) {
    const Json work{{"point", point_to_json(point)}};
    if (session.find(work, input.dataset) == nullptr) {
      session.keep(work, input.dataset, measurement.measure(point));
    }
    for (const Json& row : *session.find(work, input.dataset)) {
      report(row);
      rows.push_back(row);
      if (row["executor"] == "gpu") rows_of_gpu.push_back(row);
    }
  }
  // The environment's clocks are the GPU's: those of rows that it did not work for say nothing.
  session.finish(make_result(target_of_result, session.environment(rows_of_gpu), run.sources_digest, rows));
}

int run(int argc, char** argv) {
  CLI::App app(
      "Measures how fast the library decompresses with and without comparing checksums, on a GPU and on one "
      "thread of the CPU; everything is verified byte for byte before and after.");
  app.require_subcommand(1);
  CLI::App& command = *app.add_subcommand("measure", "Measure points and write a result file");
  RunOptions options;
  InputOptions input;
  std::string target;
  command.add_option("--target", target, "Target of the result; else the points file's");
  add_points_option(command, options, "experiments/measure_gpu/points.hpp");
  add_result_options(command, options, command_text(argc, argv));
  add_timing_options(command, options);
  add_input_options(command, input);
  if (const std::optional<int> status = parse_command_line(app, argc, argv)) return *status;
  measure(options, input, target);
  return 0;
}

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_program("gsst_measure_checksums", gsst::experiments::run, argc, argv);
}
