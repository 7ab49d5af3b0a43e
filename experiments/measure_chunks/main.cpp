// gsst_measure_chunks: counts how small chunks of a file are in an encoding of series codag and writes a row
// of results as JSON.
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
#include "experiments/measure_chunks/chunk_rows.hpp"

namespace gsst::experiments {
namespace {

struct ChunkOptions {
  std::filesystem::path input;
  Dataset dataset;
  ChunkCoding coding;
  std::filesystem::path output;
};

std::string check_digest(const std::string& text) {
  const bool valid = text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
  return valid ? std::string() : "must be 64 lower-case hexadecimal digits";
}

int run(int argc, char** argv) {
  CLI::App app(
      "Counts how small chunks of a file are in an encoding of series codag (CODAG paper, Table V).");
  // experiments/environment.py reads these two lines.
  app.set_version_flag("--version", "compiler: " GSST_COMPILER "\nflags: " GSST_FLAGS,
                       "Prints the compiler and its flags");
  ChunkOptions options;
  app.add_option("--input", options.input, "File to count in")->required();
  app.add_option("--dataset", options.dataset.name, "Name of the data in the rows")->required();
  app.add_option("--dataset-sha256", options.dataset.sha256, "SHA-256 of the file, for the rows")
      ->required()
      ->check(check_digest);
  app.add_option("--format", options.coding.format, "A format of series codag")->required();
  app.add_option("--type", options.coding.type,
                 "Of the values: i8, u8, i16, i32, u32, i64 or u64; of formats of integers");
  app.add_option("--block-bytes", options.coding.chunk_bytes, "Bytes of a chunk")
      ->required()
      // Values that get four bytes in place of one must still be a block.
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 24));
  app.add_option("--output", options.output, "JSON file to write the rows to")->required();
  if (const std::optional<int> status = parse_command_line(app, argc, argv)) return *status;

  std::cerr << "points: 1" << std::endl;
  const nlohmann::ordered_json rows = chunk_rows(options.input, options.coding, options.dataset);
  for (const nlohmann::ordered_json& row : rows) std::cerr << row_text(row) << std::endl;
  write_document(rows, options.output);
  return 0;
}

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_program("gsst_measure_chunks", gsst::experiments::run, argc, argv);
}
