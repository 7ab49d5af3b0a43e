// gsst_measure_bytes: counts the bytes and the runs of zeros of a file and writes a row of results as JSON.
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
#include "experiments/measure_bytes/counted_row.hpp"

namespace gsst::experiments {
namespace {

struct CountOptions {
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
      "Counts the bytes and the runs of zeros of a file (thesis on zero-length coding, Fig 18 and 19).");
  // experiments/environment.py reads these two lines.
  app.set_version_flag("--version", "compiler: " GSST_COMPILER "\nflags: " GSST_FLAGS,
                       "Prints the compiler and its flags");
  CountOptions options;
  app.add_option("--input", options.input, "File to count in")->required();
  app.add_option("--dataset", options.dataset.name, "Name of the data in the row")->required();
  app.add_option("--dataset-sha256", options.dataset.sha256, "SHA-256 of the file, for the row")
      ->required()
      ->check(check_sha256);
  app.add_option("--block-bytes", options.block_bytes, "Bytes of a block of zero-length coding")
      ->required()
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 30));
  app.add_option("--output", options.output, "JSON file to write the row to")->required();
  if (const std::optional<int> status = parse_command_line(app, argc, argv)) return *status;

  std::cerr << "points: 1" << std::endl;
  const nlohmann::ordered_json row = count_file(options.input, options.block_bytes, options.dataset);
  std::cerr << row_text(row) << std::endl;
  write_document(nlohmann::ordered_json::array({row}), options.output);
  return 0;
}

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_program("gsst_measure_bytes", gsst::experiments::run, argc, argv);
}
