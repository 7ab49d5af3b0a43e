// gsst_codag_data: makes the columns that series codag is measured with.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <map>
#include <stdexcept>

#include "data/codag/columns.hpp"
#include "data/shared/file_options.hpp"

namespace gsst::data::codag {
namespace {

constexpr int failed = 1;
constexpr int not_understood = 2;

struct ProgramOptions {
  FileOptions file;
  ColumnOfPaper column;
};

// What a subcommand makes.
using MakeColumn = Parts (*)(const ColumnOfPaper& column);

std::map<CLI::App*, MakeColumn> add_columns(CLI::App& app, ProgramOptions& options) {
  std::map<CLI::App*, MakeColumn> makes;
  const auto add = [&](const char* name, const char* description, MakeColumn make) {
    CLI::App& command = *app.add_subcommand(name, description);
    command.add_option("--bytes", options.column.bytes, "Bytes of the column")
        ->required()
        ->check(CLI::Range(std::uint64_t{1}, most_bytes));
    command.add_option("--seed", options.column.seed, "Other random numbers")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 62));
    add_file_options(command, options.file);
    makes[&command] = make;
  };
  add("mc0", "uint64 in long runs", mc0_parts);
  add("mc3", "Floats in long runs", mc3_parts);
  add("tpc", "int8 of 0 to 6", tpc_parts);
  add("tpt", "Lines of digits and words", tpt_parts);
  add("cd2", "uint32 by a power law", cd2_parts);
  add("tc2", "uint64, sorted, each as often as its vertex has edges", tc2_parts);
  add("runs", "int64 in runs of 30", runs_of_30_parts);
  add("outliers", "int64 of 20 bits, one in 64 of 40", outliers_parts);
  return makes;
}

int run(int argc, char** argv) {
  CLI::App app(
      "Makes columns like those of the CODAG paper: the same bytes on every machine, for any number of "
      "threads.");
  app.require_subcommand(1);
  ProgramOptions options;
  const std::map<CLI::App*, MakeColumn> makes = add_columns(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : not_understood;
  }
  write_file(makes.at(app.get_subcommands().front())(options.column), options.file);
  return 0;
}

}  // namespace
}  // namespace gsst::data::codag

int main(int argc, char** argv) {
  try {
    return gsst::data::codag::run(argc, argv);
  } catch (const std::invalid_argument& error) {
    std::cerr << "gsst_codag_data: " << error.what() << "\n";
    return gsst::data::codag::not_understood;
  } catch (const std::exception& error) {
    std::cerr << "gsst_codag_data: " << error.what() << "\n";
    return gsst::data::codag::failed;
  }
}
