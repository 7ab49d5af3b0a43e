#include "experiments/measure_ranges/ranges_measurement.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <string>
#include <utility>

#include "common/format/block.hpp"
#include "experiments/measure/error.hpp"
#include "experiments/measure_shared/device_check.hpp"
#include "experiments/measure_shared/event_timer.hpp"
#include "experiments/measure_shared/interleaved_timing.hpp"
#include "reference_cpu/memory_codec.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

// A list of ranges on the device, with what they should give.
struct RangesOnDevice {
  RangesOnDevice(const std::vector<gsst_range>& list, std::span<const std::uint8_t> text,
                 const library::GpuDecompressPlan& plan)
      : count(list.size()),
        ranges(
            std::span(reinterpret_cast<const std::uint8_t*>(list.data()), list.size() * sizeof(gsst_range))),
        expected(slices_of(list, text)),
        output(expected.size()),
        scratch(plan.range_scratch_bytes(list.size())),
        status(list.size() * sizeof(std::uint32_t)) {}

  static std::vector<std::uint8_t> slices_of(const std::vector<gsst_range>& list,
                                             std::span<const std::uint8_t> text) {
    std::vector<std::uint8_t> bytes;
    for (const gsst_range& range : list) {
      const auto slice = text.subspan(range.offset, range.bytes);
      bytes.insert(bytes.end(), slice.begin(), slice.end());
    }
    return bytes;
  }

  library::GpuRangesMemory memory(const std::uint8_t* frame) {
    return {.frame = frame,
            .ranges = reinterpret_cast<const gsst_range*>(ranges.data()),
            .range_count = count,
            .output = output.data(),
            .output_bytes = output.size(),
            .scratch = scratch.data(),
            .status = reinterpret_cast<std::uint32_t*>(status.data())};
  }

  std::uint64_t count;
  cuda::DeviceBuffer ranges;
  cuda::DeviceBuffer expected;
  cuda::DeviceBuffer output;
  cuda::DeviceBuffer scratch;
  cuda::DeviceBuffer status;
};

void verify_ranges(const library::GpuDecompressPlan& plan, const std::uint8_t* frame, RangesOnDevice& list) {
  poison_on_device(list.output.data(), list.expected.data(), list.expected.size());
  plan.enqueue_ranges<stage::Executor::gpu>(list.memory(frame), nullptr);
  const std::uint64_t differences =
      count_differences(list.output.data(), list.expected.data(), list.expected.size());
  if (differences != 0) {
    throw MismatchError(std::to_string(differences) + " bytes of the ranges differ from the text");
  }
  const std::vector<std::uint8_t> status = list.status.to_host();
  if (std::ranges::any_of(status, [](std::uint8_t byte) { return byte != 0; })) {
    throw MismatchError("the status of a range is not 0");
  }
}

std::string variant_of(const reference::CompressOptions& options) {
  const std::string name(format::block_format_name(options.format));
  return options.code_bits == 0 ? name : name + " of " + std::to_string(options.code_bits) + " bits";
}

}  // namespace

RangesMeasurement::RangesMeasurement(std::span<const std::uint8_t> text, Dataset dataset,
                                     const reference::CompressOptions& options, unsigned repetitions,
                                     const DeviceMonitor& monitor)
    : text_(text),
      dataset_(std::move(dataset)),
      options_(options),
      repetitions_(repetitions),
      monitor_(monitor),
      frame_(reference::compress(text, options)),
      plan_(frame_, {.verify_checksums = false}),
      frame_on_device_(frame_),
      output_(text.size()),
      scratch_(plan_.scratch_bytes()),
      status_(plan_.summary().block_count * sizeof(std::uint32_t)) {}

Json RangesMeasurement::measure(RangePattern pattern, double selectivity, std::uint64_t range_bytes) {
  RangesOnDevice list(make_range_list({.pattern = pattern,
                                       .selectivity = selectivity,
                                       .range_bytes = range_bytes,
                                       .text_bytes = text_.size()}),
                      text_, plan_);
  const std::uint8_t* const frame = frame_on_device_.data();
  EventTimer timer;
  const std::vector<TimedWork> works = {
      {.name = "ranges",
       .seconds =
           [&] {
             return timer.seconds(
                 nullptr, [&] { plan_.enqueue_ranges<stage::Executor::gpu>(list.memory(frame), nullptr); });
           }},
      {.name = "whole frame", .seconds = [&] {
         return timer.seconds(nullptr, [&] {
           plan_.enqueue<stage::Executor::gpu>({.frame = frame,
                                                .output = output_.data(),
                                                .scratch = scratch_.data(),
                                                .status = reinterpret_cast<std::uint32_t*>(status_.data())},
                                               nullptr);
         });
       }}};
  verify_ranges(plan_, frame, list);
  std::vector<std::vector<double>> seconds;
  const Json clocks =
      summarize_samples(monitor_.sample_during([&] { seconds = time_interleaved(works, repetitions_); }));
  verify_ranges(plan_, frame, list);

  Json row = row_to_json(
      {.stage = "library/ranges",
       .variant = variant_of(options_),
       .parameters = {{"block_bytes", options_.block_bytes}, {"splits", reference::split_count(options_)}},
       .uncompressed_bytes = text_.size(),
       .compressed_bytes = frame_.size(),
       .seconds = summarize(seconds[0])},
      dataset_);
  row["throughput_gb_per_s"] = gigabytes_per_second(list.expected.size(), summarize(seconds[0]).median);
  row["pattern"] = range_pattern_name(pattern);
  row["selectivity"] = selectivity;
  row["range_bytes"] = range_bytes;
  row["range_count"] = list.count;
  row["wanted_bytes"] = list.expected.size();
  row["full_decode_gb_per_s"] = gigabytes_per_second(text_.size(), summarize(seconds[1]).median);
  row["clocks"] = clocks;
  return row;
}

}  // namespace gsst::experiments
