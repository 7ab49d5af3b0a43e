// gsst_measure_memory: counts the device memory that decoder stages allocate and writes a result as JSON.
#include <CLI/CLI.hpp>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "experiments/measure/input_file.hpp"
#include "experiments/measure_memory/stage_memory.hpp"
#include "experiments/measure_shared/command_line.hpp"
#include "experiments/measure_shared/session.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

void report(const Json& row) {
  const Json& memory = row["gpu_memory"];
  std::cerr << row["stage"].get<std::string>() << ": " << memory["allocations"].dump() << ", "
            << memory["beyond_input_and_output_bytes"].get<std::uint64_t>()
            << " bytes beyond input and output" << std::endl;
}

void measure(const RunOptions& run, const InputOptions& input, const std::string& target) {
  const Session session(run);
  const std::vector<Point> points = read_points(run.points, session.device().multiprocessors).points;
  const std::vector<std::uint8_t> text = read_input_file(input.path);
  std::vector<Json> rows;
  for (const std::vector<std::size_t>& group : group_by_frame(points)) {
    std::vector<Point> of_group;
    of_group.reserve(group.size());
    for (const std::size_t i : group) of_group.push_back(points[i]);
    for (Json& row : measure_memory(of_group, text, input.dataset, session.monitor())) {
      report(row);
      rows.push_back(std::move(row));
    }
  }
  session.finish_with(target, rows);
}

int run(int argc, char** argv) {
  CLI::App app("Counts the device memory that decoder stages allocate while they decode a text once.");
  RunOptions options;
  std::string target;
  InputOptions input;
  app.add_option("--target", target, "Target of the result")->required();
  add_points_option(app, options, "experiments/measure_gpu/points.hpp; may be repeated");
  add_result_options(app, options, command_text(argc, argv));
  add_input_options(app, input);
  if (const std::optional<int> status = parse_command_line(app, argc, argv)) return *status;
  measure(options, input, target);
  return 0;
}

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_program("gsst_measure_memory", gsst::experiments::run, argc, argv);
}
