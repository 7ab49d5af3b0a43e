// gsst_measure_stages: measures decoder stages on a GPU and writes results as JSON.
#include <CLI/CLI.hpp>
#include <cstddef>
#include <optional>
#include <string>

#include "experiments/measure_gpu/commands.hpp"
#include "experiments/measure_shared/command_line.hpp"

namespace gsst::experiments {
namespace {

void add_run_options(CLI::App& command, RunOptions& options, const std::string& text) {
  add_points_option(command, options, "experiments/measure_gpu/points.hpp; may be repeated");
  add_result_options(command, options, text);
  add_timing_options(command, options);
}

int run(int argc, char** argv) {
  CLI::App app("Measures decoder stages on a GPU; every row is verified byte for byte before and after.");
  app.require_subcommand(1);

  const std::string text = command_text(argc, argv);
  MeasureOptions measure_options;
  CLI::App& measure = *app.add_subcommand("measure", "Measure points and write a result file");
  add_run_options(measure, measure_options.run, text);
  add_input_options(measure, measure_options.input);
  measure.add_option("--target", measure_options.target, "Target of the result; else the points file's");

  SweepOptions sweep_options;
  CLI::App& sweep = *app.add_subcommand(
      "sweep", "Choose the fastest point of each stage on one text and measure it on another");
  add_run_options(sweep, sweep_options.run, text);
  add_input_options(sweep, sweep_options.input);
  add_input_options(sweep, sweep_options.report, "report-", false);

  std::size_t read_bytes = 0;
  std::size_t written_bytes = 0;
  CLI::App& limit = *app.add_subcommand("limit", "Print how fast each variant of the streaming kernel is");
  const CLI::Range sizes(std::size_t{8192}, std::size_t{1} << 40);
  limit.add_option("--read-bytes", read_bytes, "Bytes to read")->required()->check(sizes);
  limit.add_option("--written-bytes", written_bytes, "Bytes to write")->required()->check(sizes);

  if (const std::optional<int> status = parse_command_line(app, argc, argv)) return *status;
  if (measure.parsed()) {
    run_measure(measure_options);
  } else if (sweep.parsed()) {
    run_sweep(sweep_options);
  } else {
    run_limit(read_bytes, written_bytes);
  }
  return 0;
}

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_program("gsst_measure_stages", gsst::experiments::run, argc, argv);
}
