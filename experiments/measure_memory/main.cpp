// gsst_measure_memory: counts the device memory that stages allocate and writes a result as JSON.
#include <CLI/CLI.hpp>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "experiments/measure/input_file.hpp"
#include "experiments/measure_memory/encoder_memory.hpp"
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

std::vector<Json> decoder_rows(const RunOptions& run, const InputOptions& input, const Session& session) {
  const std::vector<Point> points = read_points(run.points, session.device().multiprocessors).points;
  const std::vector<std::uint8_t> text = read_input_file(input.path);
  std::vector<Json> rows;
  for (const std::vector<std::size_t>& group : group_by_frame(points)) {
    std::vector<Point> of_group;
    of_group.reserve(group.size());
    for (const std::size_t i : group) of_group.push_back(points[i]);
    const std::vector<Json> measured = measure_memory(of_group, text, input.dataset, session.monitor());
    rows.insert(rows.end(), measured.begin(), measured.end());
  }
  return rows;
}

std::vector<Json> encoder_rows(const RunOptions& run, const InputOptions& input, const Session& session) {
  std::vector<EncodePoint> points;
  for (const std::filesystem::path& path : run.points) {
    const std::vector<EncodePoint> of_file = read_encode_points(path);
    points.insert(points.end(), of_file.begin(), of_file.end());
  }
  return measure_encoder_memory(points, read_input_file(input.path), input.dataset, session.monitor());
}

int run(int argc, char** argv) {
  CLI::App app("Counts the device memory that stages allocate while they decode or encode a text once.");
  RunOptions options;
  std::string target;
  InputOptions input;
  bool encoders = false;
  app.add_option("--target", target, "Target of the result")->required();
  add_points_option(app, options, "experiments/measure_gpu/points.hpp; may be repeated");
  app.add_flag("--encoders", encoders,
               "The points are of encoder stages: experiments/measure_encode/encode_points.hpp");
  add_result_options(app, options, command_text(argc, argv));
  add_input_options(app, input);
  if (const std::optional<int> status = parse_command_line(app, argc, argv)) return *status;
  const Session session(options);
  const std::vector<Json> rows =
      encoders ? encoder_rows(options, input, session) : decoder_rows(options, input, session);
  for (const Json& row : rows) report(row);
  session.finish_with(target, rows);
  return 0;
}

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_program("gsst_measure_memory", gsst::experiments::run, argc, argv);
}
