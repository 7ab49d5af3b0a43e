// gsst_tile_integer_data: makes the columns that series tile_integer is measured with.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>

#include "data/shared/file_options.hpp"
#include "data/tile_integer/columns.hpp"

namespace gsst::data {
namespace {

constexpr int exit_failure = 1;
constexpr int exit_usage = 2;

struct Options {
  FileOptions file;
  Column column;
  std::string type = "i32";
  unsigned width = 0;
  std::uint64_t unique = 0;
  std::uint32_t mean = 0;
  std::uint32_t exponent_tenths = 0;
  std::uint32_t run_tenths = 0;
};

// What a subcommand makes.
using Make = Parts (*)(const Options& options);

void add_type(CLI::App& command, Options& options) {
  command.add_option("--type", options.type, "Of the values: i32 (default), u32, i64 or u64")
      ->check(CLI::IsMember({"i32", "u32", "i64", "u64"}));
}

std::map<CLI::App*, Make> add_commands(CLI::App& app, Options& options) {
  std::map<CLI::App*, Make> makes;
  const auto add = [&](const char* name, const char* description, Make make) -> CLI::App& {
    CLI::App& command = *app.add_subcommand(name, description);
    makes[&command] = make;
    return command;
  };

  CLI::App& uniform = add("uniform", "Random values of 0 to 2^width - 1",
                          [](const Options& of) { return uniform_parts(of.column, of.width); });
  uniform.add_option("--width", options.width, "Bits of a value")->required();
  add_type(uniform, options);

  CLI::App& mixed = add("mixed", "Each 32 random values have their own width",
                        [](const Options& of) { return mixed_parts(of.column); });
  add_type(mixed, options);

  add("sorted", "Values that do not fall, with a number of unique ones, evenly spread",
      [](const Options& of) { return sorted_parts(of.column, of.unique); })
      .add_option("--unique", options.unique, "Unique values")
      ->required();
  add("normal", "A normal distribution with standard deviation 20",
      [](const Options& of) { return normal_parts(of.column, of.mean); })
      .add_option("--mean", options.mean, "Its mean")
      ->required();
  add("zipf", "A Zipf distribution of 2^20 values",
      [](const Options& of) { return zipf_parts(of.column, of.exponent_tenths); })
      .add_option("--exponent-tenths", options.exponent_tenths, "10 times its exponent")
      ->required();
  add("ascending", "1, 2, 3 and so on", [](const Options& of) { return ascending_parts(of.column); });
  add("gaps", "Values that rise by random gaps of 0 to 2^width - 1, modulo 2^32",
      [](const Options& of) { return gaps_parts(of.column, of.width); })
      .add_option("--width", options.width, "Bits of a gap")
      ->required();
  add("runs", "Runs of random values of 16 bits",
      [](const Options& of) { return runs_parts(of.column, of.run_tenths); })
      .add_option("--run-tenths", options.run_tenths, "10 times the mean length of a run")
      ->required();

  for (const auto& [command, make] : makes) {
    command->add_option("--values", options.column.values, "Values of the column")
        ->required()
        ->check(CLI::Range(std::uint64_t{1}, most_file_bytes / sizeof(std::uint64_t)));
    command->add_option("--seed", options.column.seed, "Other random numbers")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 62));
    add_file_options(*command, options.file);
  }
  return makes;
}

int run(int argc, char** argv) {
  CLI::App app("Makes columns of integers: the same bytes on every machine, for any number of threads.");
  app.require_subcommand(1);
  Options options;
  const std::map<CLI::App*, Make> makes = add_commands(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : exit_usage;
  }
  if (options.type == "i64" || options.type == "u64") options.column.value_bytes = 8;
  write_file(makes.at(app.get_subcommands().front())(options), options.file);
  return 0;
}

}  // namespace
}  // namespace gsst::data

int main(int argc, char** argv) {
  try {
    return gsst::data::run(argc, argv);
  } catch (const std::invalid_argument& error) {
    std::cerr << "gsst_tile_integer_data: " << error.what() << "\n";
    return gsst::data::exit_usage;
  } catch (const std::exception& error) {
    std::cerr << "gsst_tile_integer_data: " << error.what() << "\n";
    return gsst::data::exit_failure;
  }
}
