#include "experiments/measure_line_rate/paced_row.hpp"

#include <array>

#include "experiments/measure/shared/statistics.hpp"

namespace gsst::experiments {

nlohmann::ordered_json paced_row(const PacedRun& run, const ExpectedBlocks& blocks,
                                 double wanted_gigabits_per_second, const PacedEncoder& encoder,
                                 const Dataset& dataset) {
  const std::uint64_t encoded = run.offered_blocks - run.lost_blocks;
  constexpr double bits_of_giga_bytes = 8;
  nlohmann::ordered_json row = row_to_json({.stage = encoder.stage,
                                            .variant = encoder.variant,
                                            .parameters = encoder.parameters,
                                            .uncompressed_bytes = encoded * blocks.block_bytes(),
                                            .compressed_bytes = run.stored_bytes,
                                            .seconds = summarize(std::array{run.seconds})},
                                           dataset);
  row["operation"] = "encode";
  row["data_bytes"] = blocks.count() * blocks.block_bytes();
  row["wanted_gigabits_per_second"] = wanted_gigabits_per_second;
  row["reached_gigabits_per_second"] =
      bits_of_giga_bytes * gigabytes_per_second(run.offered_blocks * blocks.block_bytes(), run.seconds);
  row["offered_blocks"] = run.offered_blocks;
  row["lost_blocks"] = run.lost_blocks;
  row["delay_seconds_of_half"] = run.delays.half;
  row["delay_seconds_of_99_percent"] = run.delays.of_99_percent;
  row["delay_seconds_of_99_9_percent"] = run.delays.of_99_9_percent;
  row["longest_delay_seconds"] = run.delays.longest;
  return row;
}

}  // namespace gsst::experiments
