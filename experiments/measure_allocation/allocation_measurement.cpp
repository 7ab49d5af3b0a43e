#include "experiments/measure_allocation/allocation_measurement.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "common/cuda/device_buffer.hpp"
#include "common/cuda/error.hpp"
#include "experiments/measure/error.hpp"
#include "experiments/measure/statistics.hpp"
#include "experiments/measure_allocation/timed_encoding.hpp"
#include "experiments/measure_shared/interleaved_timing.hpp"
#include "reference_cpu/memory_codec.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;
using DeviceMemory = EncodingMemory<cuda::DeviceBuffer>;

void wait_for_device() {
  GSST_CUDA_CHECK(cudaDeviceSynchronize());
}

// A frame that is not written again is found.
void poison(DeviceMemory& memory) {
  memory.output().fill(0xb7);
  memory.frame_bytes().fill(0xff);
}

// The bytes of the frame in `memory`, after the oracle has given back the text from it.
std::uint64_t verified_frame_bytes(const EncodePoint& point, DeviceMemory& memory,
                                   std::span<const std::uint8_t> text) {
  const std::string what = point.stage->description.id + " " + parameters_of(point).dump();
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, memory.frame_bytes().to_host().data(), sizeof bytes);
  if (bytes > memory.output().size()) throw MismatchError(what + ": no frame was written");
  std::vector<std::uint8_t> frame(bytes);
  GSST_CUDA_CHECK(cudaMemcpy(frame.data(), memory.output().data(), bytes, cudaMemcpyDeviceToHost));
  if (!std::ranges::equal(reference::decompress_frame(frame), text)) {
    throw MismatchError(what + ": the oracle decodes the frame to another text");
  }
  return bytes;
}

Json measure_point(const EncodePoint& point, const cuda::DeviceBuffer& input,
                   std::span<const std::uint8_t> text, const Dataset& dataset, unsigned repetitions) {
  const stage::EncodePlans& plans = *point.stage->encode.at(stage::Executor::gpu);
  stage::EncodeSettings settings = point.settings;
  settings.input_bytes = text.size();
  const std::unique_ptr<stage::Plan> plan = plans.make({.settings = settings});
  DeviceMemory memory(*plan);
  const std::array given = memory.given(*plan, input.data());
  // The first launch loads the kernels.
  encode_end_to_end(*plan, given, wait_for_device);
  poison(memory);
  const std::vector<TimedWork> works = {
      {.name = "without allocations",
       .seconds = [&] { return seconds_without_allocations(*plan, given, wait_for_device); }},
      {.name = "with allocations", .seconds = [&] {
         return seconds_with_allocations<cuda::DeviceBuffer>(plans, settings, input.data(), wait_for_device);
       }}};
  const std::vector<std::vector<double>> seconds = time_interleaved(works, repetitions);
  Row row = {.stage = point.stage->description.id,
             .variant = point.variant,
             .parameters = parameters_of(point),
             .uncompressed_bytes = text.size(),
             .compressed_bytes = verified_frame_bytes(point, memory, text),
             .seconds = std::nullopt};
  Json json = row_to_json(row, dataset);
  json["operation"] = "encode";
  const auto summary = [&](std::size_t work) {
    row.seconds = summarize(seconds[work]);
    return row_to_json(row, dataset)["seconds"];
  };
  json["end_to_end_seconds"] = {{"without_allocations", summary(0)}, {"with_allocations", summary(1)}};
  json.update(point.row);
  return json;
}

}  // namespace

std::vector<Json> measure_allocation(std::span<const EncodePoint> points, std::span<const std::uint8_t> text,
                                     const Dataset& dataset, unsigned repetitions,
                                     const DeviceMonitor& monitor) {
  const cuda::DeviceBuffer input(text);
  std::vector<Json> rows;
  const std::vector<DeviceSample> samples = monitor.sample_during([&] {
    for (const EncodePoint& point : points) {
      rows.push_back(measure_point(point, input, text, dataset, repetitions));
    }
  });
  for (Json& row : rows) row["clocks"] = summarize_samples(samples);
  return rows;
}

}  // namespace gsst::experiments
