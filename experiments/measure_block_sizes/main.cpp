// gsst_measure_block_sizes: measures what the size of blocks is worth in format tiles, and what the chosen
// size is, and writes rows of results as JSON.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>

#include "common/frame/frame.hpp"
#include "experiments/measure/shared/command_line.hpp"
#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_block_sizes/block_size_rows.hpp"
#include "experiments/measure_cpu/studied_works.hpp"

namespace gsst::experiments {
namespace {

// Two lines, which experiments/environment.py reads.
constexpr const char* version_text = "compiler: " GSST_COMPILER "\nflags: " GSST_FLAGS;

std::string check_hexadecimal_digits(const std::string& text) {
  const bool valid = text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
  return valid ? std::string() : "must be 64 lower-case hexadecimal digits";
}

int run(int argc, char** argv) {
  CLI::App app("Measures what blocks of each size make of a file in format tiles, from memory to memory.");
  app.set_version_flag("--version", version_text, "Prints the compiler and its flags");
  BlockSizeOptions options;
  Dataset dataset;
  std::filesystem::path output;
  app.add_option("--input", options.input, "File to compress")->required();
  app.add_option("--dataset", dataset.name, "Name of the data in the rows")->required();
  app.add_option("--dataset-sha256", dataset.sha256, "SHA-256 of the file, for the rows")
      ->required()
      ->check(check_hexadecimal_digits);
  app.add_option("--block-bytes", options.block_bytes, "Uncompressed bytes of a block, e.g. 262144,4194304")
      ->required()
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{format::max_block_bytes}));
  app.add_option("--repetitions", options.repetitions, "Times that each direction is timed")
      ->required()
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}));
  app.add_option("--output", output, "JSON file to write the rows to")->required();
  if (const std::optional<int> status = parse_command_line(app, argc, argv)) return *status;

  measure_works(block_size_works(options, dataset),
                {{"study", "block_sizes"},
                 {"dataset", dataset.name},
                 {"dataset_sha256", dataset.sha256},
                 {"repetitions", options.repetitions},
                 {"version", version_text}},
                output);
  return 0;
}

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_program("gsst_measure_block_sizes", gsst::experiments::run, argc, argv);
}
