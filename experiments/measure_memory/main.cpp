// gsst_measure_memory: counts the device memory that decoder stages allocate and writes a result as JSON.
#include <CLI/CLI.hpp>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "experiments/measure/error.hpp"
#include "experiments/measure/input_file.hpp"
#include "experiments/measure_gpu/session.hpp"
#include "experiments/measure_memory/stage_memory.hpp"
#include "experiments/measure_session/command_line.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr int exit_failure = 1;
constexpr int exit_usage = 2;

void report(const Json& row) {
  const Json& memory = row["gpu_memory"];
  std::cerr << row["stage"].get<std::string>() << ": " << memory["allocations"].dump() << ", "
            << memory["beyond_input_and_output_bytes"].get<std::uint64_t>()
            << " bytes beyond input and output" << std::endl;
}

void measure(const RunOptions& run, const InputOptions& input, const std::string& target) {
  const Session session(run);
  const std::vector<Point> points = session.read_points().points;
  const std::vector<std::uint8_t> text = read_input_file(input.path);
  std::vector<Json> rows;
  for (const std::vector<std::size_t>& group : group_by_frame(points)) {
    std::vector<Point> of_group;
    of_group.reserve(group.size());
    for (const std::size_t i : group) of_group.push_back(points[i]);
    for (Json& row : measure_memory(of_group, text, input.dataset)) {
      report(row);
      rows.push_back(std::move(row));
    }
  }
  session.finish(make_result(target, session.environment(rows), run.sources_digest, rows));
}

int run(int argc, char** argv) {
  CLI::App app("Counts the device memory that decoder stages allocate while they decode a text once.");
  RunOptions options;
  std::string target;
  InputOptions input;
  add_result_options(app, options, target);
  add_input_options(app, input);
  app.add_option("--points", options.points,
                 "Points file (experiments/measure_gpu/points.hpp); may be repeated")
      ->required();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : exit_usage;
  }
  if (options.command.empty()) options.command = command_text(argc, argv);
  measure(options, input, target);
  return 0;
}

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  try {
    return gsst::experiments::run(argc, argv);
  } catch (const gsst::experiments::InputError& error) {
    std::cerr << "gsst_measure_memory: " << error.what() << std::endl;
    return gsst::experiments::exit_usage;
  } catch (const std::exception& error) {
    std::cerr << "gsst_measure_memory: " << error.what() << std::endl;
    return gsst::experiments::exit_failure;
  }
}
