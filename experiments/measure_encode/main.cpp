// gsst_measure_encode: measures encoder stages on a GPU and writes results as JSON.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <string>

#include "experiments/measure/error.hpp"
#include "experiments/measure/input_file.hpp"
#include "experiments/measure_encode/encode_measurement.hpp"
#include "experiments/measure_gpu/device_description.hpp"
#include "experiments/measure_gpu/session.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr int exit_failure = 1;
constexpr int exit_usage = 2;

// What is encoded must not come out of the cache of the repetition before.
constexpr std::size_t least_multiple_of_l2 = 4;

void add_options(CLI::App& app, MeasureOptions& options) {
  RunOptions& run = options.run;
  app.add_option("--points", run.points, "Points files (experiments/measure_encode/encode_points.hpp)")
      ->required();
  app.add_option("--input", options.input.path, "File to measure with")->required();
  app.add_option("--dataset", options.input.dataset.name, "Name of the data in the rows")->required();
  app.add_option("--dataset-sha256", options.input.dataset.sha256, "SHA-256 of the file")->required();
  app.add_option("--output", run.output, "JSON file to write")->required();
  app.add_option("--target", options.target, "Target of the result; else the points file's");
  app.add_option("--repetitions", run.repetitions, "Times that each point is timed")
      ->capture_default_str()
      ->check(CLI::Range(1u, 10000u));
  app.add_flag("--allow-small", run.allow_small, "Measure data that fits the L2 cache too");
  app.add_option("--sources-digest", run.sources_digest, "Digest of the sources, for the result")->required();
  app.add_option("--commit", run.commit, "Commit that the program was built from");
  app.add_flag("--dirty", run.dirty, "The program was built from a changed tree");
}

EncodePointList read_all_points(const RunOptions& options) {
  EncodePointList all;
  for (const std::filesystem::path& path : options.points) {
    const EncodePointList list = read_encode_points(path);
    if (all.target.empty()) all.target = list.target;
    all.points.insert(all.points.end(), list.points.begin(), list.points.end());
  }
  return all;
}

void report(const Json& row) {
  std::cerr << row["stage"].get<std::string>() << ' ' << row["variant"].get<std::string>() << ' '
            << row["parameters"].dump() << (row["end_to_end"].get<bool>() ? ", end to end" : "") << ": ratio "
            << row["ratio"].get<double>() << ", " << row["throughput_gb_per_s"].get<double>() << " GB/s";
  if (row.contains("phase_seconds")) std::cerr << ", phases " << row["phase_seconds"].dump();
  std::cerr << std::endl;
}

void measure(const MeasureOptions& options) {
  const EncodePointList list = read_all_points(options.run);
  const std::string target = options.target.empty() ? list.target : options.target;
  if (target.empty()) throw InputError("no points file names a target: say which with --target");
  const std::vector<std::uint8_t> text = read_input_file(options.input.path);
  const DeviceDescription device = describe_device();
  if (!options.run.allow_small && text.size() < least_multiple_of_l2 * device.l2_bytes) {
    throw InputError("the text has " + std::to_string(text.size()) + " bytes, less than " +
                     std::to_string(least_multiple_of_l2) + " times the L2 cache; --allow-small measures it");
  }
  const Session session(options.run);
  const DeviceMonitor monitor(device.pci_bus_id);
  EncodeMeasurement measurement(text, options.input.dataset, options.run.repetitions, monitor);
  std::vector<Json> rows;
  for (const EncodePoint& point : list.points) {
    for (const Json& row : measurement.measure(point)) {
      report(row);
      rows.push_back(row);
    }
  }
  session.finish(make_result(target, session.environment(rows), options.run.sources_digest, rows));
}

int run(int argc, char** argv) {
  CLI::App app(
      "Measures encoder stages on a GPU; the oracle decodes every frame before and after the timing.");
  MeasureOptions options;
  add_options(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : exit_usage;
  }
  for (int i = 0; i < argc; ++i) options.run.command.append(i == 0 ? "" : " ").append(argv[i]);
  measure(options);
  return 0;
}

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  try {
    return gsst::experiments::run(argc, argv);
  } catch (const gsst::experiments::InputError& error) {
    std::cerr << "gsst_measure_encode: " << error.what() << std::endl;
    return gsst::experiments::exit_usage;
  } catch (const std::exception& error) {
    std::cerr << "gsst_measure_encode: " << error.what() << std::endl;
    return gsst::experiments::exit_failure;
  }
}
