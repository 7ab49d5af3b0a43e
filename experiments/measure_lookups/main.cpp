// gsst_measure_lookups: measures what one string of a column costs, and writes rows of results
// as JSON.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>

#include "common/frame/frame.hpp"
#include "experiments/measure/shared/command_line.hpp"
#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_cpu/studied_works.hpp"
#include "experiments/measure_lookups/lookup_rows.hpp"
#include "reference_cpu/level.hpp"

namespace gsst::experiments {
namespace {

// Two lines, which experiments/environment.py reads.
constexpr const char* version_text = "compiler: " GSST_COMPILER "\nflags: " GSST_FLAGS;

std::string check_digest_text(const std::string& text) {
  const bool valid = text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
  return valid ? std::string() : "must be 64 lower-case hexadecimal digits";
}

int run(int argc, char** argv) {
  CLI::App app("Measures what one string of a column costs in the library, and in FSST's codes.");
  app.set_version_flag("--version", version_text, "Prints the compiler and its flags");
  LookupOptions options;
  Dataset dataset;
  std::filesystem::path output;
  app.add_option("--input", options.input, "File of lines")->required();
  app.add_option("--dataset", dataset.name, "Name of the data in the rows")->required();
  app.add_option("--dataset-sha256", dataset.sha256, "SHA-256 of the file, for the rows")
      ->required()
      ->check(check_digest_text);
  app.add_option("--block-bytes", options.block_bytes, "Uncompressed bytes of a block")
      ->required()
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{format::max_block_bytes}));
  app.add_option("--level", options.level, "Level of training and parsing")
      ->required()
      ->check(CLI::Range(reference::min_level, reference::max_level));
  app.add_option("--repetitions", options.repetitions, "Times that the strings are looked up in each way")
      ->required()
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}));
  app.add_option("--output", output, "JSON file to write the rows to")->required();
  if (const std::optional<int> status = parse_command_line(app, argc, argv)) return *status;

  measure_works(lookup_works(options, dataset),
                {{"study", "lookups"},
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
  return gsst::experiments::run_program("gsst_measure_lookups", gsst::experiments::run, argc, argv);
}
