// gsst_zero_length_data: makes the data that series zero_length is measured with.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <set>
#include <stdexcept>
#include <string>

#include "data/shared/file_options.hpp"
#include "data/zero_length/bytes.hpp"
#include "data/zero_length/correlator.hpp"
#include "data/zero_length/presets.hpp"

namespace gsst::data {
namespace {

constexpr int exit_failure = 1;
constexpr int exit_usage = 2;

struct Options {
  FileOptions file;
  std::uint64_t seed = 0;
  std::uint64_t bytes = 0;
  std::string preset;
  bool shuffled = false;
  unsigned value = 0;
  Runs runs;
};

void add_bytes(CLI::App& command, Options& options) {
  command.add_option("--bytes", options.bytes, "Bytes of the data")
      ->required()
      ->check(CLI::Range(std::uint64_t{1}, most_file_bytes));
}

void add_seed(CLI::App& command, Options& options) {
  command.add_option("--seed", options.seed, "Other random numbers; without it those of the data set")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 62));
}

Parts kat7_parts(const Options& options) {
  for (const Preset& preset : presets()) {
    if (preset.name != options.preset) continue;
    Correlator correlator = preset.correlator;
    if (options.seed != 0) correlator.seed = options.seed;
    correlator.shuffled = options.shuffled;
    return correlator_parts(correlator);
  }
  throw std::invalid_argument("there is no preset " + options.preset);
}

int run(int argc, char** argv) {
  CLI::App app(
      "Makes data for zero-length coding: the same bytes on every machine, for any number of threads.");
  app.require_subcommand(1);
  Options options;
  std::set<std::string> names;
  for (const Preset& preset : presets()) names.insert(std::string(preset.name));

  CLI::App& kat7 = *app.add_subcommand(
      "kat7", "KAT-7-like, simulated; shape inferred: visibilities of a correlator of seven antennas");
  kat7.add_option("--preset", options.preset, "MiB of the HDF5 file of the thesis's data set")
      ->required()
      ->check(CLI::IsMember(names));
  kat7.add_flag("--shuffled", options.shuffled,
                "The floats of each channel in a random order: zeros have no period");
  add_seed(kat7, options);

  CLI::App& random = *app.add_subcommand("random", "Random bytes");
  add_bytes(random, options);
  add_seed(random, options);

  CLI::App& constant = *app.add_subcommand("constant", "One byte again and again");
  add_bytes(constant, options);
  constant.add_option("--value", options.value, "The byte")->required()->check(CLI::Range(0U, 255U));

  CLI::App& runs = *app.add_subcommand("runs", "Runs of zeros of one length between bytes 1 to 254");
  add_bytes(runs, options);
  add_seed(runs, options);
  runs.add_option("--zeros-per-thousand", options.runs.zeros_per_thousand, "Zeros in a thousand bytes")
      ->required()
      ->check(CLI::Range(0U, 1000U));
  runs.add_option("--run-bytes", options.runs.run_bytes, "Zeros of a run")->required();

  for (CLI::App* command : app.get_subcommands({})) add_file_options(*command, options.file);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : exit_usage;
  }

  // 0 stands for a seed that nobody gave.
  const std::uint64_t seed = options.seed == 0 ? 1 : options.seed;
  options.runs.bytes = options.bytes;
  options.runs.seed = seed;
  const Parts parts = kat7.parsed()     ? kat7_parts(options)
                      : random.parsed() ? random_parts(options.bytes, seed)
                      : runs.parsed()
                          ? runs_parts(options.runs)
                          : constant_parts(options.bytes, static_cast<std::uint8_t>(options.value));
  write_file(parts, options.file);
  return 0;
}

}  // namespace
}  // namespace gsst::data

int main(int argc, char** argv) {
  try {
    return gsst::data::run(argc, argv);
  } catch (const std::invalid_argument& error) {
    std::cerr << "gsst_zero_length_data: " << error.what() << "\n";
    return gsst::data::exit_usage;
  } catch (const std::exception& error) {
    std::cerr << "gsst_zero_length_data: " << error.what() << "\n";
    return gsst::data::exit_failure;
  }
}
