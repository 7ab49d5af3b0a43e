// gsst_measure_search_cpu: measures how fast one processor searches a compressed text with the command gsst,
// and the text with others' commands, and writes rows of results as JSON.
#include <stdlib.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>

#include "common/frame/frame.hpp"
#include "experiments/measure/shared/command_line.hpp"
#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_cpu/studied_works.hpp"
#include "experiments/measure_search_cpu/search_cpu_rows.hpp"
#include "reference_cpu/level.hpp"

namespace gsst::experiments {
namespace {

// Two lines, which experiments/environment.py reads.
constexpr const char* version_text = "compiler: " GSST_COMPILER "\nflags: " GSST_FLAGS;

std::string check_is_sha256(const std::string& text) {
  const bool valid = text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
  return valid ? std::string() : "must be 64 lower-case hexadecimal digits";
}

int run(int argc, char** argv) {
  CLI::App app("Measures how fast one processor finds lines of a compressed text, next to others' commands.");
  app.set_version_flag("--version", version_text, "Prints the compiler and its flags");
  SearchCpuOptions options;
  Dataset dataset;
  std::filesystem::path output;
  app.add_option("--input", options.input, "Text to search")->required();
  app.add_option("--dataset", dataset.name, "Name of the data in the rows")->required();
  app.add_option("--dataset-sha256", dataset.sha256, "SHA-256 of the file, for the rows")
      ->required()
      ->check(check_is_sha256);
  app.add_option("--questions", options.questions, "JSON file with the patterns of each question by its name")
      ->required();
  app.add_option("--block-bytes", options.tiles.block_bytes, "Uncompressed bytes of a block")
      ->required()
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{format::max_block_bytes}));
  app.add_option("--code-bits", options.tiles.code_bits, "Bits of a code, e.g. 8,12")
      ->required()
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({8, 10, 12}));
  app.add_option("--level", options.tiles.level, "Level of compression")
      ->required()
      ->check(CLI::Range(reference::min_level, reference::max_level));
  app.add_option("--repetitions", options.repetitions, "Times that each command is timed")
      ->required()
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}));
  app.add_option("--output", output, "JSON file to write the rows to")->required();
  if (const std::optional<int> status = parse_command_line(app, argc, argv)) return *status;

  // gsst grep takes bytes, as grep does in this locale.
  ::setenv("LC_ALL", "C", 1);
  // The command is built beside this program.
  const SearchTools tools = {
      .command = std::filesystem::read_symlink("/proc/self/exe").replace_filename("gsst"),
      .folder = "/dev/shm"};
  measure_works(search_cpu_works(options, tools, dataset),
                {{"study", "search cpu"},
                 {"dataset", dataset.name},
                 {"dataset_sha256", dataset.sha256},
                 {"block_bytes", options.tiles.block_bytes},
                 {"code_bits", options.tiles.code_bits},
                 {"level", options.tiles.level},
                 {"repetitions", options.repetitions},
                 {"version", version_text}},
                output);
  return 0;
}

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_program("gsst_measure_search_cpu", gsst::experiments::run, argc, argv);
}
