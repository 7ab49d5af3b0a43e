#include "experiments/measure_ranges/ranges_measurement.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "common/format/formats.hpp"
#include "experiments/measure/error.hpp"
#include "experiments/measure_shared/device_check.hpp"
#include "experiments/measure_shared/event_timer.hpp"
#include "experiments/measure_shared/interleaved_timing.hpp"
#include "reference_cpu/memory_codec.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::uint8_t> slices_of(const std::vector<gsst_range>& list, std::span<const std::uint8_t> text) {
  std::vector<std::uint8_t> bytes(list.empty() ? 0 : list.size() * list.front().bytes);
  for (const gsst_range& range : list) {
    std::ranges::copy(text.subspan(range.offset, range.bytes),
                      bytes.begin() + static_cast<std::ptrdiff_t>(range.output_offset));
  }
  return bytes;
}

// A list of ranges on the device, with what they should give.
struct RangesOnDevice {
  RangesOnDevice(const std::vector<gsst_range>& list, std::span<const std::uint8_t> wanted,
                 const library::GpuDecompressPlan& plan)
      : count(list.size()),
        ranges(
            std::span(reinterpret_cast<const std::uint8_t*>(list.data()), list.size() * sizeof(gsst_range))),
        expected(wanted),
        output(expected.size()),
        scratch(plan.range_scratch_bytes(list.size())),
        status(list.size() * sizeof(std::uint32_t)) {}

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
  plan.enqueue_ranges(list.memory(frame), nullptr);
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

unsigned processors() {
  return std::max(1u, std::thread::hardware_concurrency());
}

std::string variant_of(const RangesFrame& frame) {
  std::string name(format::block_format_name(frame.options.format));
  if (frame.options.code_bits != 0) name += " of " + std::to_string(frame.options.code_bits) + " bits";
  return frame.options.strip_codes == short_strip_codes ? name + ", short strips" : name;
}

}  // namespace

RangesMeasurement::RangesMeasurement(std::span<const std::uint8_t> text, Dataset dataset,
                                     const RangesFrame& frame, unsigned repetitions,
                                     const DeviceMonitor& monitor)
    : text_(text),
      dataset_(std::move(dataset)),
      frame_options_(frame),
      repetitions_(repetitions),
      monitor_(monitor),
      frame_(reference::compress(text, frame.options)),
      plan_(stage::Executor::gpu, frame_, {.verify_checksums = false}),
      cpu_plan_(frame_, {.threads = processors(), .verify_checksums = false}),
      frame_on_device_(frame_),
      output_(text.size()),
      scratch_(plan_.scratch_bytes()),
      status_(plan_.summary().block_count * sizeof(std::uint32_t)) {}

Json RangesMeasurement::row(const std::string& stage, const RangeListRequest& request,
                            std::uint64_t range_count, const SecondsSummary& seconds) const {
  Json row = row_to_json({.stage = stage,
                          .variant = variant_of(frame_options_),
                          .parameters = {{"block_bytes", frame_options_.options.block_bytes},
                                         {"splits", reference::split_count(frame_options_.options)}},
                          .uncompressed_bytes = text_.size(),
                          .compressed_bytes = frame_.size(),
                          .seconds = seconds},
                         dataset_);
  const std::uint64_t wanted_bytes = range_count * request.range_bytes;
  row["throughput_gb_per_s"] = gigabytes_per_second(wanted_bytes, seconds.median);
  row["pattern"] = range_pattern_name(request.pattern);
  row["selectivity"] = request.selectivity;
  row["range_bytes"] = request.range_bytes;
  row["range_count"] = range_count;
  row["wanted_bytes"] = wanted_bytes;
  return row;
}

Json RangesMeasurement::measure(const RangeListRequest& request) {
  const std::vector<gsst_range> ranges = make_range_list(request);
  RangesOnDevice list(ranges, slices_of(ranges, text_), plan_);
  const std::uint8_t* const frame = frame_on_device_.data();
  EventTimer timer;
  const std::vector<TimedWork> works = {
      {.name = "ranges",
       .seconds =
           [&] {
             return timer.seconds(nullptr, [&] { plan_.enqueue_ranges(list.memory(frame), nullptr); });
           }},
      {.name = "whole frame", .seconds = [&] {
         return timer.seconds(nullptr, [&] {
           plan_.enqueue({.frame = frame,
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

  Json measured = row(plan_.ranges_stage()->description.id, request, list.count, summarize(seconds[0]));
  measured["full_decode_gb_per_s"] = gigabytes_per_second(text_.size(), summarize(seconds[1]).median);
  measured["clocks"] = clocks;
  return measured;
}

Json RangesMeasurement::measure_on_cpu(const RangeListRequest& request) {
  const std::vector<gsst_range> ranges = make_range_list(request);
  const std::vector<std::uint8_t> wanted = slices_of(ranges, text_);
  std::vector<std::uint8_t> output(wanted.size());
  const auto verify = [&] {
    std::ranges::fill(output, std::uint8_t{0});
    cpu_plan_.execute_ranges(ranges, output);
    if (output != wanted) throw MismatchError("the ranges of the CPU differ from the text");
  };
  verify();
  const std::vector<TimedWork> works = {{.name = "ranges on the CPU", .seconds = [&] {
                                           const auto start = std::chrono::steady_clock::now();
                                           cpu_plan_.execute_ranges(ranges, output);
                                           const auto end = std::chrono::steady_clock::now();
                                           return std::chrono::duration<double>(end - start).count();
                                         }}};
  std::vector<std::vector<double>> seconds;
  // The GPU's, which is idle: every row of a result has them.
  const Json clocks =
      summarize_samples(monitor_.sample_during([&] { seconds = time_interleaved(works, repetitions_); }));
  verify();
  Json measured = row("library/cpu_ranges", request, ranges.size(), summarize(seconds[0]));
  measured["parameters"]["threads"] = processors();
  measured["clocks"] = clocks;
  return measured;
}

}  // namespace gsst::experiments
