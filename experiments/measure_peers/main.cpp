// gsst_measure_peers: measures how fast this project's formats, FSST's codes, zstd and LZ4 compress and
// decompress, and writes rows of results as JSON.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>

#include "common/frame/frame.hpp"
#include "experiments/measure/shared/command_line.hpp"
#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_cpu/studied_works.hpp"
#include "experiments/measure_peers/peer_rows.hpp"
#include "reference_cpu/level.hpp"

namespace gsst::experiments {
namespace {

// Far above any machine's processors; keeps a slip of the finger from starting millions of threads.
constexpr unsigned most_threads_of_peers = 4096;

// Two lines, which experiments/environment.py reads.
constexpr const char* version_text = "compiler: " GSST_COMPILER "\nflags: " GSST_FLAGS;

std::string check_hexadecimal_digits(const std::string& text) {
  const bool valid = text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
  return valid ? std::string() : "must be 64 lower-case hexadecimal digits";
}

int run(int argc, char** argv) {
  CLI::App app("Measures how fast formats and peers compress and decompress a file, from memory to memory.");
  app.set_version_flag("--version", version_text, "Prints the compiler and its flags");
  PeerOptions options;
  Dataset dataset;
  std::filesystem::path output;
  app.add_option("--input", options.input, "File to compress")->required();
  app.add_option("--dataset", dataset.name, "Name of the data in the rows")->required();
  app.add_option("--dataset-sha256", dataset.sha256, "SHA-256 of the file, for the rows")
      ->required()
      ->check(check_hexadecimal_digits);
  app.add_option("--block-bytes", options.block_bytes, "Uncompressed bytes of a block")
      ->required()
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{format::max_block_bytes}));
  app.add_option("--threads", options.threads, "Threads, each of which works on a block")
      ->required()
      ->check(CLI::Range(1u, most_threads_of_peers));
  app.add_option("--levels", options.levels, "Levels of format tiles, e.g. 1,3,6")
      ->required()
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(reference::min_level, reference::max_level));
  app.add_option("--repetitions", options.repetitions, "Times that each direction is timed")
      ->required()
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}));
  app.add_option("--output", output, "JSON file to write the rows to")->required();
  if (const std::optional<int> status = parse_command_line(app, argc, argv)) return *status;

  measure_works(peer_works(options, dataset),
                {{"study", "peers"},
                 {"dataset", dataset.name},
                 {"dataset_sha256", dataset.sha256},
                 {"levels", options.levels},
                 {"repetitions", options.repetitions},
                 {"version", version_text}},
                output);
  return 0;
}

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_program("gsst_measure_peers", gsst::experiments::run, argc, argv);
}
