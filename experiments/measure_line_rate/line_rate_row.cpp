#include "experiments/measure_line_rate/line_rate_row.hpp"

#include <string>

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

nlohmann::ordered_json line_rate_row(const PacedRun& run, const ExpectedBlocks& blocks, const Pace& pace,
                                     const zero_length::FeedOptions& options, const Dataset& dataset) {
  return paced_row(run, blocks, pace.gigabits_per_second,
                   {.stage = "zero_length/feed",
                    .variant = instruction_set_name(options.vector_bytes),
                    .parameters = {{"block_bytes", options.block_bytes},
                                   {"packet_bytes", pace.packet_bytes},
                                   {"slots", options.slots},
                                   {"threads", options.threads},
                                   {"vector_bytes", options.vector_bytes},
                                   {"gigabits_per_second", pace.gigabits_per_second}}},
                   dataset);
}

}  // namespace gsst::experiments
