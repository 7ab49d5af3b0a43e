// gsst_measure_ranges: measures random access to a frame on a GPU and writes a result as JSON.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "common/format/block.hpp"
#include "experiments/measure/error.hpp"
#include "experiments/measure/input_file.hpp"
#include "experiments/measure_ranges/ranges_measurement.hpp"
#include "experiments/measure_shared/command_line.hpp"
#include "experiments/measure_shared/measured_text.hpp"
#include "experiments/measure_shared/session.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

// What is measured: each selectivity in each pattern, with ranges of each size.
struct RangesGrid {
  std::string format = "tiles";
  std::uint32_t code_bits = 0;
  std::uint64_t block_bytes = std::uint64_t{4} << 20;
  std::uint32_t splits = 128;
  std::vector<double> selectivities = {0.0001, 0.001, 0.01, 0.1, 0.5, 1};
  std::vector<std::uint64_t> range_bytes = {32};
};

reference::CompressOptions compress_options(const RangesGrid& grid) {
  const std::optional<format::BlockFormat> format = format::block_format_from_name(grid.format);
  if (!format || !library::has_range_decoder(*format)) {
    throw InputError("format " + grid.format + " has no ranges on a GPU: splits and tiles have");
  }
  return {.format = *format,
          .block_bytes = grid.block_bytes,
          .split_count = grid.splits,
          .code_bits = *format == format::BlockFormat::tiles ? grid.code_bits : 0};
}

void report(const Json& row) {
  std::cerr << row["variant"].get<std::string>() << ", " << row["pattern"].get<std::string>() << " "
            << row["selectivity"] << ", " << row["range_count"] << " ranges of " << row["range_bytes"]
            << " bytes: " << row["throughput_gb_per_s"].get<double>() << " GB/s, "
            << row["seconds"]["median"].get<double>() * 1e6 << " us; the whole frame "
            << row["full_decode_gb_per_s"].get<double>() << " GB/s" << std::endl;
}

void measure(const RunOptions& run, const InputOptions& input, const RangesGrid& grid) {
  Session session(run);
  const std::vector<std::uint8_t> text = read_input_file(input.path);
  check_text_size(text.size(), session.device().l2_bytes, run);
  RangesMeasurement measurement(text, input.dataset, compress_options(grid), run.repetitions,
                                session.monitor());
  std::vector<Json> rows;
  for (const std::uint64_t bytes : grid.range_bytes) {
    for (const RangePattern pattern :
         {RangePattern::scattered, RangePattern::shuffled, RangePattern::clustered}) {
      for (const double selectivity : grid.selectivities) {
        rows.push_back(measurement.measure(pattern, selectivity, bytes));
        report(rows.back());
      }
    }
  }
  session.finish_with("beyond_random_access", rows);
}

int run(int argc, char** argv) {
  CLI::App app(
      "Measures the decoding of byte ranges of a frame on a GPU against the part of it that they ask for; "
      "every list of ranges is verified byte for byte before and after.");
  RunOptions options;
  InputOptions input;
  RangesGrid grid;
  app.add_option("--format", grid.format, "splits or tiles")->capture_default_str();
  app.add_option("--code-bits", grid.code_bits, "Of format tiles: 8, 10 or 12; 0 chooses by a sample")
      ->capture_default_str();
  app.add_option("--block-bytes", grid.block_bytes, "Uncompressed bytes of a block")->capture_default_str();
  app.add_option("--splits", grid.splits, "Of format splits: splits of a block")->capture_default_str();
  app.add_option("--selectivity", grid.selectivities, "Parts of the text that are asked for")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--range-bytes", grid.range_bytes, "Bytes of a range")
      ->delimiter(',')
      ->capture_default_str();
  add_result_options(app, options, command_text(argc, argv));
  add_timing_options(app, options);
  add_input_options(app, input);
  if (const std::optional<int> status = parse_command_line(app, argc, argv)) return *status;
  measure(options, input, grid);
  return 0;
}

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_program("gsst_measure_ranges", gsst::experiments::run, argc, argv);
}
