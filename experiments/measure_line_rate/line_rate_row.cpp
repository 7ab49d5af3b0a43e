#include "experiments/measure_line_rate/line_rate_row.hpp"

#include <array>
#include <string>

#include "experiments/measure/shared/statistics.hpp"

namespace gsst::experiments {
namespace {

std::string instruction_set_name(std::uint32_t vector_bytes) {
  switch (vector_bytes) {
    case 16:
      return "SSE2";
    case 32:
      return "AVX2";
    case 64:
      return "AVX-512";
    default:
      return "no vectors";
  }
}

}  // namespace

nlohmann::ordered_json line_rate_row(const LineRateRun& run, const ExpectedBlocks& blocks, const Pace& pace,
                                     const zero_length::FeedOptions& options, const Dataset& dataset) {
  const std::string instruction_set = instruction_set_name(options.vector_bytes);
  const std::uint64_t encoded = run.offered_blocks - run.lost_blocks;
  constexpr double bits_of_giga_bytes = 8;
  nlohmann::ordered_json row = row_to_json({.stage = "zero_length/feed",
                                            .variant = instruction_set,
                                            .parameters = {{"block_bytes", options.block_bytes},
                                                           {"packet_bytes", pace.packet_bytes},
                                                           {"slots", options.slots},
                                                           {"threads", options.threads},
                                                           {"vector_bytes", options.vector_bytes},
                                                           {"gigabits_per_second", pace.gigabits_per_second}},
                                            .uncompressed_bytes = encoded * options.block_bytes,
                                            .compressed_bytes = run.stored_bytes,
                                            .seconds = summarize(std::array{run.seconds})},
                                           dataset);
  row["operation"] = "encode";
  row["data_bytes"] = blocks.count() * blocks.block_bytes();
  row["wanted_gigabits_per_second"] = pace.gigabits_per_second;
  row["reached_gigabits_per_second"] =
      bits_of_giga_bytes * gigabytes_per_second(run.offered_blocks * options.block_bytes, run.seconds);
  row["offered_blocks"] = run.offered_blocks;
  row["lost_blocks"] = run.lost_blocks;
  row["delay_seconds_of_half"] = run.delays.half;
  row["delay_seconds_of_99_percent"] = run.delays.of_99_percent;
  row["delay_seconds_of_99_9_percent"] = run.delays.of_99_9_percent;
  row["longest_delay_seconds"] = run.delays.longest;
  return row;
}

}  // namespace gsst::experiments
