// gsst_measure_markers: counts what markers that each block chooses save of a file and writes rows of results
// as JSON.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "experiments/measure/shared/command_line.hpp"
#include "experiments/measure/shared/result_file.hpp"
#include "experiments/measure/shared/row.hpp"
#include "experiments/measure/shared/row_text.hpp"
#include "experiments/measure_markers/marker_rows.hpp"

namespace gsst::experiments {
namespace {

struct MarkerOptions {
  std::filesystem::path input;
  Dataset dataset;
  std::uint64_t block_bytes = 0;
  std::filesystem::path output;
};

std::string check_sha256(const std::string& text) {
  const bool valid = text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
  return valid ? std::string() : "must be 64 lower-case hexadecimal digits";
}

int run(int argc, char** argv) {
  CLI::App app(
      "Counts what markers that each block chooses save of a file (thesis on zero-length coding, 5.6).");
  // experiments/environment.py reads these two lines.
  app.set_version_flag("--version", "compiler: " GSST_COMPILER "\nflags: " GSST_FLAGS,
                       "Prints the compiler and its flags");
  MarkerOptions options;
  app.add_option("--input", options.input, "File to count in")->required();
  app.add_option("--dataset", options.dataset.name, "Name of the data in the rows")->required();
  app.add_option("--dataset-sha256", options.dataset.sha256, "SHA-256 of the file, for the rows")
      ->required()
      ->check(check_sha256);
  app.add_option("--block-bytes", options.block_bytes, "Bytes of a block of zero-length coding")
      ->required()
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 30));
  app.add_option("--output", options.output, "JSON file to write the rows to")->required();
  if (const std::optional<int> status = parse_command_line(app, argc, argv)) return *status;

  std::cerr << "points: 4" << std::endl;
  const nlohmann::ordered_json rows = marker_rows(options.input, options.block_bytes, options.dataset);
  for (const nlohmann::ordered_json& row : rows) std::cerr << row_text(row) << std::endl;
  write_document(rows, options.output);
  return 0;
}

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_program("gsst_measure_markers", gsst::experiments::run, argc, argv);
}
