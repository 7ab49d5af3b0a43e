#include "experiments/measure_line_rate_gpu/line_rate_measurement.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "common/stage/kernels_on.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure_line_rate/paced_row.hpp"
#include "experiments/measure_line_rate_gpu/batched_run.hpp"
#include "stages/zero_length/shared/host_to_host.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

void check_blocks(const SourceOptions& options, std::uint64_t block_bytes) {
  if (block_bytes % options.packet_bytes != 0 || options.ring_bytes < block_bytes) {
    throw InputError("blocks of " + std::to_string(block_bytes) + " bytes: packets have " +
                     std::to_string(options.packet_bytes) + " bytes, the ring has " +
                     std::to_string(options.ring_bytes));
  }
}

}  // namespace

LineRateMeasurement::LineRateMeasurement(std::span<const std::uint8_t> text, Dataset dataset,
                                         const SourceOptions& options, const LineRateTools& tools)
    : text_(text), dataset_(std::move(dataset)), options_(options), tools_(tools) {}

const ExpectedBlocks& LineRateMeasurement::expected_blocks(std::uint64_t block_bytes) {
  if (!blocks_ || blocks_->block_bytes() != block_bytes) blocks_.emplace(text_, block_bytes);
  return *blocks_;
}

Json LineRateMeasurement::measure(const Point& point) {
  const auto& functions = stage::KernelsOn<zero_length::HostToHost>::get(tools_.executor);
  if (functions.stage != point.id) {
    throw InputError("stage " + point.id + " does not go from host memory to host memory, " +
                     std::string(functions.stage) + " does");
  }
  const WantedPace wanted = wanted_pace(point);
  check_blocks(options_, point.input.block_bytes);
  const ExpectedBlocks& blocks = expected_blocks(point.input.block_bytes);
  const BatchedSetup setup = {.executor = tools_.executor,
                              .pace = {.gigabits_per_second = wanted.gigabits_per_second,
                                       .packet_bytes = options_.packet_bytes,
                                       .duration = std::min(wanted.duration, options_.longest)},
                              .sources = wanted.sources,
                              .ring_blocks = options_.ring_bytes / blocks.block_bytes(),
                              .shape = functions.shape(blocks.block_bytes(), point.parameters)};
  std::optional<BatchedRun> run;
  const Json clocks = tools_.clocks_during([&] { run = run_in_batches(blocks, setup, functions); });

  Json parameters = encode_parameters(point);
  parameters["packet_bytes"] = options_.packet_bytes;
  parameters["ring_blocks"] = setup.ring_blocks;
  Json row =
      paced_row(run->paced, blocks, wanted.gigabits_per_second,
                {.stage = point.id, .variant = point.variant, .parameters = std::move(parameters)}, dataset_);
  row["end_to_end"] = true;
  row["batches"] = run->batches;
  row["device_bytes"] = run->device_bytes;
  row["clocks"] = clocks;
  row.update(point.row);
  return row;
}

}  // namespace gsst::experiments
