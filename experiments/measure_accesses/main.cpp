// gsst_measure_accesses: counts what the accesses of stages' kernels cost on a GPU by the executor's model,
// and writes rows of results as JSON.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "experiments/measure/shared/command_line.hpp"
#include "experiments/measure/shared/input_file.hpp"
#include "experiments/measure/shared/points.hpp"
#include "experiments/measure/shared/result_file.hpp"
#include "experiments/measure/shared/row.hpp"
#include "experiments/measure/shared/row_text.hpp"
#include "experiments/measure_accesses/access_rows.hpp"

namespace gsst::experiments {
namespace {

std::string check_sha256(const std::string& text) {
  const bool valid = text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
  return valid ? std::string() : "must be 64 lower-case hexadecimal digits";
}

int run(int argc, char** argv) {
  CLI::App app(
      "Counts what the accesses of stages' kernels cost on a GPU, by a model that needs none; every row is "
      "verified byte for byte.");
  // experiments/environment.py reads these two lines.
  app.set_version_flag("--version", "compiler: " GSST_COMPILER "\nflags: " GSST_FLAGS,
                       "Prints the compiler and its flags");
  std::filesystem::path points;
  std::filesystem::path input;
  std::filesystem::path output;
  Dataset dataset;
  app.add_option("--points", points, "Points file: the stages that decode, and how")->required();
  app.add_option("--input", input, "File that is compressed and decoded")->required();
  app.add_option("--dataset", dataset.name, "Name of the data in the rows")->required();
  app.add_option("--dataset-sha256", dataset.sha256, "SHA-256 of the file, for the rows")
      ->required()
      ->check(check_sha256);
  app.add_option("--output", output, "JSON file to write the rows to")->required();
  if (const std::optional<int> status = parse_command_line(app, argc, argv)) return *status;

  const PointList list =
      read_points(std::span(&points, 1),
                  {.kind = "accesses", .operations = {stage::Operation::decode}, .multiprocessors = 1});
  std::cerr << "points: " << list.points.size() << std::endl;
  const nlohmann::ordered_json rows = access_rows(list.points, read_input_file(input), dataset);
  for (const nlohmann::ordered_json& row : rows) std::cerr << row_text(row) << std::endl;
  write_document(rows, output);
  return 0;
}

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_program("gsst_measure_accesses", gsst::experiments::run, argc, argv);
}
