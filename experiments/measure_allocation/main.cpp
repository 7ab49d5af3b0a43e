// gsst_measure_allocation: times encodings with and without allocating their memory and writes a result as
// JSON.
#include <CLI/CLI.hpp>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "experiments/measure/input_file.hpp"
#include "experiments/measure_allocation/allocation_measurement.hpp"
#include "experiments/measure_shared/command_line.hpp"
#include "experiments/measure_shared/session.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

void report(const Json& row) {
  const Json& seconds = row["end_to_end_seconds"];
  std::cerr << row["stage"].get<std::string>() << ": end to end "
            << seconds["without_allocations"]["median"].get<double>() << " s, with allocations "
            << seconds["with_allocations"]["median"].get<double>() << " s" << std::endl;
}

std::vector<EncodePoint> all_points(const RunOptions& run) {
  std::vector<EncodePoint> points;
  for (const std::filesystem::path& path : run.points) {
    const std::vector<EncodePoint> of_file = read_encode_points(path);
    points.insert(points.end(), of_file.begin(), of_file.end());
  }
  return points;
}

int run(int argc, char** argv) {
  CLI::App app("Times encodings, training included, with and without allocating and freeing device memory.");
  RunOptions options;
  std::string target;
  InputOptions input;
  app.add_option("--target", target, "Target of the result")->required();
  add_points_option(app, options, "experiments/measure_encode/encode_points.hpp; may be repeated");
  add_result_options(app, options, command_text(argc, argv));
  add_timing_options(app, options);
  add_input_options(app, input);
  if (const std::optional<int> status = parse_command_line(app, argc, argv)) return *status;
  const Session session(options);
  const std::vector<Json> rows = measure_allocation(all_points(options), read_input_file(input.path),
                                                    input.dataset, options.repetitions, session.monitor());
  for (const Json& row : rows) report(row);
  session.finish_with(target, rows);
  return 0;
}

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_program("gsst_measure_allocation", gsst::experiments::run, argc, argv);
}
