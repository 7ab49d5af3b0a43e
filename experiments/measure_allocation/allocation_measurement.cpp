#include "experiments/measure_allocation/allocation_measurement.hpp"

#include <cuda_runtime_api.h>

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "common/cuda/device_buffer.hpp"
#include "common/cuda/error.hpp"
#include "experiments/measure/shared/encoded_frame.hpp"
#include "experiments/measure/shared/interleaved_timing.hpp"
#include "experiments/measure/shared/statistics.hpp"
#include "experiments/measure_allocation/timed_encoding.hpp"

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

}  // namespace

Json measure_allocation(const Point& point, const cuda::DeviceBuffer& input, const Measurement& measurement) {
  const stage::EncodePlans& plans = *point.stage->encode.at(stage::Executor::gpu);
  const auto make_plan = [&plans, encoded = input_to_encode(point, input.size())] {
    return plans.plan_of(encoded);
  };
  const std::unique_ptr<stage::Plan> plan = make_plan();
  DeviceMemory memory(*plan);
  const std::array given = memory.given(*plan, input.data());
  // The first launch loads the kernels.
  encode_end_to_end(*plan, given, wait_for_device);
  poison(memory);
  const std::vector<TimedWork> works = {
      {.name = "without allocations",
       .seconds = [&] { return seconds_without_allocations(*plan, given, wait_for_device); }},
      {.name = "with allocations", .seconds = [&] {
         return seconds_with_allocations<cuda::DeviceBuffer>(make_plan, input.data(), wait_for_device);
       }}};
  std::vector<std::vector<double>> seconds;
  const Json clocks =
      measurement.clocks_during([&] { seconds = time_interleaved(works, measurement.repetitions); });
  const std::string name = point.id + " " + encode_parameters(point).dump();
  Row row = {.stage = point.id,
             .variant = point.variant,
             .parameters = encode_parameters(point),
             .uncompressed_bytes = input.size(),
             .compressed_bytes = verified_frame_bytes(name, point.input.format, memory.output(),
                                                      memory.frame_bytes(), measurement.text),
             .seconds = std::nullopt};
  Json json = row_to_json(row, measurement.dataset);
  json["operation"] = "encode";
  const auto summary = [&](std::size_t work) {
    row.seconds = summarize(seconds[work]);
    return row_to_json(row, measurement.dataset)["seconds"];
  };
  json["end_to_end_seconds"] = {{"without_allocations", summary(0)}, {"with_allocations", summary(1)}};
  json["clocks"] = clocks;
  json.update(point.row);
  return json;
}

}  // namespace gsst::experiments
