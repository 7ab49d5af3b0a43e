// gsst_measure_stages: measures decoder stages on a GPU and writes results as JSON.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <string>

#include "experiments/measure/error.hpp"
#include "experiments/measure_gpu/commands.hpp"

namespace gsst::experiments {
namespace {

constexpr int exit_failure = 1;
constexpr int exit_usage = 2;

std::string check_hexadecimal(const std::string& text, std::size_t digits) {
  const bool valid = text.size() == digits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
  return valid ? std::string() : "must be " + std::to_string(digits) + " lower-case hexadecimal digits";
}

std::string check_sha256(const std::string& text) {
  return check_hexadecimal(text, 64);
}

std::string check_commit(const std::string& text) {
  return text == "unknown" ? std::string() : check_hexadecimal(text, 40);
}

void add_run_options(CLI::App& command, RunOptions& options) {
  command
      .add_option("--points", options.points,
                  "Points file (experiments/measure_gpu/points.hpp); may be repeated")
      ->required();
  command.add_option("--output", options.output, "JSON file to write")->required();
  command.add_option("--repetitions", options.repetitions, "Times that each point is timed")
      ->capture_default_str()
      ->check(CLI::Range(1u, 10000u));
  command.add_flag("--allow-small", options.allow_small, "Measure data that fits the L2 cache too");
  command.add_option("--commit", options.commit, "Commit that the program was built from")
      ->check(check_commit);
  command.add_flag("--dirty", options.dirty, "The program was built from a changed tree");
  command.add_option("--sources-digest", options.sources_digest, "Digest of the sources, for the result")
      ->required()
      ->check(check_sha256);
  command.add_option("--command", options.command, "What the result calls the command; else this one");
}

void add_input(CLI::App& command, const std::string& prefix, InputOptions& options, bool required) {
  CLI::Option* const path = command.add_option("--" + prefix + "input", options.path, "File to measure with");
  CLI::Option* const name =
      command.add_option("--" + prefix + "dataset", options.dataset.name, "Name of the data in the rows");
  CLI::Option* const sha256 =
      command.add_option("--" + prefix + "dataset-sha256", options.dataset.sha256, "SHA-256 of the file")
          ->check(check_sha256);
  path->required(required)->needs(name)->needs(sha256);
}

std::string joined(int argc, char** argv) {
  std::string line = argv[0];
  for (int i = 1; i < argc; ++i) line.append(" ").append(argv[i]);
  return line;
}

int run(int argc, char** argv) {
  CLI::App app("Measures decoder stages on a GPU; every row is verified byte for byte before and after.");
  app.require_subcommand(1);

  MeasureOptions measure_options;
  CLI::App& measure = *app.add_subcommand("measure", "Measure points and write a result file");
  add_run_options(measure, measure_options.run);
  add_input(measure, "", measure_options.input, true);
  measure.add_option("--target", measure_options.target, "Target of the result; else the points file's");

  SweepOptions sweep_options;
  CLI::App& sweep = *app.add_subcommand(
      "sweep", "Choose the fastest point of each stage on one text and measure it on another");
  add_run_options(sweep, sweep_options.run);
  add_input(sweep, "", sweep_options.input, true);
  add_input(sweep, "report-", sweep_options.report, false);

  std::size_t read_bytes = 0;
  std::size_t written_bytes = 0;
  CLI::App& limit = *app.add_subcommand("limit", "Print how fast each variant of the streaming kernel is");
  const CLI::Range sizes(std::size_t{8192}, std::size_t{1} << 40);
  limit.add_option("--read-bytes", read_bytes, "Bytes to read")->required()->check(sizes);
  limit.add_option("--written-bytes", written_bytes, "Bytes to write")->required()->check(sizes);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : exit_usage;
  }
  for (RunOptions* const options : {&measure_options.run, &sweep_options.run}) {
    if (options->command.empty()) options->command = joined(argc, argv);
  }
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
  try {
    return gsst::experiments::run(argc, argv);
  } catch (const gsst::experiments::InputError& error) {
    std::cerr << "gsst_measure_stages: " << error.what() << std::endl;
    return gsst::experiments::exit_usage;
  } catch (const std::exception& error) {
    std::cerr << "gsst_measure_stages: " << error.what() << std::endl;
    return gsst::experiments::exit_failure;
  }
}
