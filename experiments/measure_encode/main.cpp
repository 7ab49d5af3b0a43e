// gsst_measure_encode: measures encoder stages on a GPU and writes results as JSON.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "experiments/measure/error.hpp"
#include "experiments/measure/input_file.hpp"
#include "experiments/measure_encode/encode_measurement.hpp"
#include "experiments/measure_gpu/device_description.hpp"
#include "experiments/measure_gpu/session.hpp"
#include "experiments/measure_session/command_line.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr int exit_failure = 1;
constexpr int exit_usage = 2;

// What is encoded must not come out of the cache of the repetition before.
constexpr std::size_t least_multiple_of_l2 = 4;

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
  const DeviceDescription device = describe_device();
  if (!run.allow_small && text.size() < least_multiple_of_l2 * device.l2_bytes) {
    throw InputError("the text has " + std::to_string(text.size()) + " bytes, less than " +
                     std::to_string(least_multiple_of_l2) + " times the L2 cache; --allow-small measures it");
  }
  const Session session(run);
  const DeviceMonitor monitor(device.pci_bus_id);
  EncodeMeasurement measurement(text, input.dataset, run.repetitions, monitor);
  std::vector<Json> rows;
  for (const EncodePoint& point : points) {
    for (const Json& row : measurement.measure(point)) {
      report(row);
      rows.push_back(row);
    }
  }
  session.finish(make_result(target, session.environment(rows), run.sources_digest, rows));
}

int run(int argc, char** argv) {
  CLI::App app(
      "Measures encoder stages on a GPU; the oracle decodes every frame before and after the timing.");
  RunOptions options;
  InputOptions input;
  std::string target;
  add_result_options(app, options, target);
  add_input_options(app, input);
  app.add_option("--points", options.points,
                 "Points file (experiments/measure_encode/encode_points.hpp); may be repeated")
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
    std::cerr << "gsst_measure_encode: " << error.what() << std::endl;
    return gsst::experiments::exit_usage;
  } catch (const std::exception& error) {
    std::cerr << "gsst_measure_encode: " << error.what() << std::endl;
    return gsst::experiments::exit_failure;
  }
}
