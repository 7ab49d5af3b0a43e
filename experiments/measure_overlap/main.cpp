// gsst_measure_overlap: measures how transfer and decoding overlap on a GPU and writes a result as JSON.
#include <CLI/CLI.hpp>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>

#include "experiments/measure/error.hpp"
#include "experiments/measure/input_file.hpp"
#include "experiments/measure_gpu/device_description.hpp"
#include "experiments/measure_gpu/device_monitor.hpp"
#include "experiments/measure_gpu/partial_rows.hpp"
#include "experiments/measure_gpu/points.hpp"
#include "experiments/measure_gpu/result_file.hpp"
#include "experiments/measure_gpu/run_options.hpp"
#include "experiments/measure_gpu/session.hpp"
#include "experiments/measure_overlap/device_tools.hpp"
#include "experiments/measure_overlap/grid.hpp"
#include "experiments/measure_overlap/overlap_measurement.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr int exit_failure = 1;
constexpr int exit_usage = 2;

std::string check_hexadecimal(const std::string& text, std::size_t digits) {
  const bool valid = text.size() == digits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
  return valid ? std::string() : "must be " + std::to_string(digits) + " lower-case hexadecimal digits";
}

void add_options(CLI::App& app, MeasureOptions& options) {
  const auto sha256 = [](const std::string& text) { return check_hexadecimal(text, 64); };
  const auto commit = [](const std::string& text) {
    return text == "unknown" ? std::string() : check_hexadecimal(text, 40);
  };
  RunOptions& run = options.run;
  app.add_option("--points", run.points,
                 "Points file (experiments/measure_gpu/points.hpp) with the keys 'batches' and "
                 "'interconnects' (experiments/measure_overlap/grid.hpp)")
      ->required()
      ->expected(1);
  app.add_option("--output", run.output, "JSON file to write")->required();
  app.add_option("--target", options.target, "Target of the result; else the points file's");
  app.add_option("--repetitions", run.repetitions, "Times that everything is timed")
      ->capture_default_str()
      ->check(CLI::Range(1u, 10000u));
  app.add_option("--commit", run.commit, "Commit that the program was built from")->check(commit);
  app.add_flag("--dirty", run.dirty, "The program was built from a changed tree");
  app.add_option("--sources-digest", run.sources_digest, "Digest of the sources, for the result")
      ->required()
      ->check(sha256);
  app.add_option("--input", options.input.path, "File to measure with")->required();
  app.add_option("--dataset", options.input.dataset.name, "Name of the data in the rows")->required();
  app.add_option("--dataset-sha256", options.input.dataset.sha256, "SHA-256 of the file")
      ->required()
      ->check(sha256);
}

Json read_document(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw InputError("cannot open " + path.string());
  try {
    return Json::parse(file);
  } catch (const Json::exception& error) {
    throw InputError(path.string() + ": " + error.what());
  }
}

void report(const Json& row) {
  std::cerr << row["stage"].get<std::string>() << ", " << row["batches"] << " batches, interconnect "
            << row["interconnect_gb_per_s"] << " (alone " << row["transfer_gb_per_s"].get<double>()
            << " GB/s): " << row["throughput_gb_per_s"].get<double>() << " GB/s, decoding alone "
            << row["decode_gb_per_s"].get<double>() << " GB/s, a batch alone "
            << row["batch_decode_gb_per_s"].get<double>() << " GB/s" << std::endl;
}

void measure(const MeasureOptions& options) {
  const RunOptions& run = options.run;
  Session session(run);
  const DeviceMonitor monitor(describe_device().pci_bus_id);
  const ExecutorTools tools = device_tools(monitor);
  const PointList list = session.read_points();
  const Json document = read_document(run.points.front());
  const OverlapGrid grid = parse_grid(document, run.points.front().string());
  const std::string target = options.target.empty() ? list.target : options.target;
  if (target.empty()) throw InputError("the points file names no target: say which with --target");
  const std::vector<std::uint8_t> text = read_input_file(options.input.path);
  OverlapMeasurement measurement(text, options.input.dataset, run.repetitions, tools);
  // The rows of a point are measured together, so they are kept together.
  PartialRows partial(run.output);
  std::vector<Json> rows;
  for (const Point& point : list.points) {
    const Json key{{"point", point_to_json(point)},
                   {"batches", document["batches"]},
                   {"interconnects", document["interconnects"]},
                   {"dataset", options.input.dataset.name},
                   {"dataset_sha256", options.input.dataset.sha256},
                   {"repetitions", run.repetitions},
                   {"sources_digest", run.sources_digest},
                   {"commit", run.commit},
                   {"gpu", describe_device().name},
                   {"driver", monitor.driver_version()}};
    if (partial.find(key) == nullptr) partial.append(key, measurement.measure(point, grid));
    for (const Json& row : *partial.find(key)) {
      report(row);
      rows.push_back(row);
    }
  }
  session.finish(make_result(target, session.environment(rows), run.sources_digest, rows));
}

int run(int argc, char** argv) {
  CLI::App app(
      "Measures the time from compressed blocks in host memory to decoded text on the GPU, transfer and "
      "decoding overlapping by batches; every number of batches is verified byte for byte before and after.");
  app.require_subcommand(1);
  MeasureOptions options;
  add_options(*app.add_subcommand("measure", "Measure points and write a result file"), options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : exit_usage;
  }
  options.run.command = argv[0];
  for (int i = 1; i < argc; ++i) options.run.command.append(" ").append(argv[i]);
  measure(options);
  return 0;
}

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  try {
    return gsst::experiments::run(argc, argv);
  } catch (const gsst::experiments::InputError& error) {
    std::cerr << "gsst_measure_overlap: " << error.what() << std::endl;
    return gsst::experiments::exit_usage;
  } catch (const std::exception& error) {
    std::cerr << "gsst_measure_overlap: " << error.what() << std::endl;
    return gsst::experiments::exit_failure;
  }
}
