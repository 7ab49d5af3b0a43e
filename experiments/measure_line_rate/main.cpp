// gsst_measure_line_rate: delivers a file at line rates into the feed of zero-length coding and writes a row
// of results as JSON for each rate, number of threads and instruction set.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/measure/shared/command_line.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/input_file.hpp"
#include "experiments/measure/shared/result_file.hpp"
#include "experiments/measure/shared/row_text.hpp"
#include "experiments/measure_line_rate/line_rate_row.hpp"
#include "experiments/measure_line_rate/line_rate_run.hpp"
#include "stages/zero_length/03_simd/instruction_sets.hpp"

namespace gsst::experiments {
namespace {

struct LineRateOptions {
  std::filesystem::path input;
  Dataset dataset;
  std::uint64_t block_bytes = 0;
  std::uint64_t packet_bytes = 0;
  std::uint32_t slots = 0;
  std::vector<std::uint64_t> gigabits_per_second;
  std::vector<std::uint64_t> milliseconds;
  std::vector<std::uint32_t> threads;
  std::vector<std::uint32_t> vector_bytes;
  std::filesystem::path output;
};

std::string check_sha256_digits(const std::string& text) {
  const bool valid = text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
  return valid ? std::string() : "must be 64 lower-case hexadecimal digits";
}

void add_options(CLI::App& app, LineRateOptions& options) {
  const CLI::Range block_sizes(std::uint64_t{1}, std::uint64_t{1} << 30);
  app.add_option("--input", options.input, "File to deliver")->required();
  app.add_option("--dataset", options.dataset.name, "Name of the data in the rows")->required();
  app.add_option("--dataset-sha256", options.dataset.sha256, "SHA-256 of the file, for the rows")
      ->required()
      ->check(check_sha256_digits);
  app.add_option("--block-bytes", options.block_bytes, "Bytes of a block")->required()->check(block_sizes);
  app.add_option("--packet-bytes", options.packet_bytes, "Bytes of a packet, which divide those of a block")
      ->required()
      ->check(block_sizes);
  app.add_option("--slots", options.slots, "Blocks of the ring")->required()->check(CLI::Range(1, 65536));
  app.add_option("--gigabits-per-second", options.gigabits_per_second, "Rates, separated by commas")
      ->required()
      ->delimiter(',')
      ->check(CLI::Range(1, 10'000));
  app.add_option("--milliseconds", options.milliseconds, "How long each rate lasts, one for each rate")
      ->required()
      ->delimiter(',')
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--threads", options.threads, "Numbers of threads that encode")
      ->required()
      ->delimiter(',')
      ->check(CLI::Range(1, 1024));
  app.add_option("--vector-bytes", options.vector_bytes,
                 "Instruction sets: 8 plain C++, 16 SSE2, 32 AVX2, 64 AVX-512; those that the processor has "
                 "not are left out")
      ->required()
      ->delimiter(',')
      ->check(CLI::IsMember({8, 16, 32, 64}));
  app.add_option("--output", options.output, "JSON file to write the rows to")->required();
}

void check_together(const LineRateOptions& options) {
  if (options.milliseconds.size() != options.gigabits_per_second.size()) {
    throw InputError("--milliseconds has " + std::to_string(options.milliseconds.size()) + " values for " +
                     std::to_string(options.gigabits_per_second.size()) + " rates");
  }
  if (options.block_bytes % options.packet_bytes != 0) {
    throw InputError("--packet-bytes is " + std::to_string(options.packet_bytes) +
                     ", which does not divide the bytes of a block, " + std::to_string(options.block_bytes));
  }
}

// Those of the command line that the processor has.
std::vector<std::uint32_t> known_sets(const LineRateOptions& options) {
  std::vector<std::uint32_t> known;
  for (const std::uint32_t vector_bytes : options.vector_bytes) {
    const auto sets = zero_length::simd::instruction_sets();
    const bool has_set = std::ranges::any_of(
        sets, [&](const auto& set) { return set.vector_bytes == std::int64_t{vector_bytes}; });
    if (has_set) {
      known.push_back(vector_bytes);
    } else {
      std::cerr << "left out: this processor has no vectors of " << vector_bytes << " bytes" << std::endl;
    }
  }
  if (known.empty()) throw InputError("--vector-bytes names no instructions of this processor");
  return known;
}

nlohmann::ordered_json measure_all(const LineRateOptions& options) {
  const std::vector<std::uint8_t> data = read_input_file(options.input);
  const ExpectedBlocks blocks(data, options.block_bytes);
  const std::vector<std::uint32_t> sets = known_sets(options);
  std::cerr << "points: " << options.gigabits_per_second.size() * options.threads.size() * sets.size()
            << std::endl;
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (std::size_t rate = 0; rate < options.gigabits_per_second.size(); ++rate) {
    const Pace pace = {.gigabits_per_second = static_cast<double>(options.gigabits_per_second[rate]),
                       .packet_bytes = options.packet_bytes,
                       .duration = std::chrono::milliseconds(options.milliseconds[rate])};
    for (const std::uint32_t vector_bytes : sets) {
      for (const std::uint32_t threads : options.threads) {
        const zero_length::FeedOptions feed = {.block_bytes = options.block_bytes,
                                               .slots = options.slots,
                                               .threads = threads,
                                               .vector_bytes = vector_bytes};
        rows.push_back(line_rate_row(run_line_rate(blocks, pace, feed), blocks, pace, feed, options.dataset));
        std::cerr << row_text(rows.back()) << std::endl;
      }
    }
  }
  return rows;
}

int measure(int argc, char** argv) {
  CLI::App app("Delivers a file at line rates into a ring of blocks, which zero-length coding empties.");
  // experiments/environment.py reads these two lines.
  app.set_version_flag("--version", "compiler: " GSST_COMPILER "\nflags: " GSST_FLAGS,
                       "Prints the compiler and its flags");
  LineRateOptions options;
  add_options(app, options);
  if (const std::optional<int> status = parse_command_line(app, argc, argv)) return *status;
  check_together(options);
  write_document(measure_all(options), options.output);
  return 0;
}

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_program("gsst_measure_line_rate", gsst::experiments::measure, argc, argv);
}
