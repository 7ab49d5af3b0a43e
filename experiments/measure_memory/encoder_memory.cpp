#include "experiments/measure_memory/encoder_memory.hpp"

#include <cuda_runtime_api.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "common/cuda/error.hpp"
#include "experiments/measure/shared/device_memory.hpp"
#include "experiments/measure/shared/encoded_frame.hpp"
#include "experiments/measure/shared/given.hpp"
#include "experiments/measure_memory/counted_buffer.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

// What allocations are for.
constexpr const char* text_purpose = "input";
constexpr const char* frame_purpose = "output";
constexpr const char* scratch_purpose = "scratch";
constexpr const char* results_purpose = "statuses";
constexpr const char* encoder_purpose = "encoder";

struct Encoded {
  Json gpu_memory;
  cuda::DeviceBuffer frame_bytes;
};

// All that an encoding needs besides the text and the output is allocated in here.
Encoded encode_and_count(const stage::Plan& plan, const cuda::DeviceBuffer& input,
                         cuda::DeviceBuffer& output) {
  allocation_log().restart();
  const DeviceMemoryWatch memory;
  cuda::DeviceBuffer scratch = allocate_for(scratch_purpose, bytes_of(plan, stage::Role::state));
  cuda::DeviceBuffer status = allocate_for(results_purpose, bytes_of(plan, stage::Role::status));
  cuda::DeviceBuffer frame_bytes = allocate_for(results_purpose, bytes_of(plan, stage::Role::result));
  frame_bytes.fill(0xff);
  const std::array all = {stage::to_read(input.data(), input.size()), given(output), given(scratch),
                          given(status), given(frame_bytes)};
  {
    const AllocationPurpose scope(encoder_purpose);
    plan.prepare(all, nullptr);
    enqueue_all(plan, all, nullptr);
  }
  GSST_CUDA_CHECK(cudaDeviceSynchronize());
  const DeviceMemoryUse use = memory.use();

  Json allocations = Json::object();
  for (const char* const purpose :
       {text_purpose, frame_purpose, scratch_purpose, results_purpose, encoder_purpose}) {
    allocations[purpose] = allocation_log().most_bytes(purpose);
  }
  std::size_t beyond = 0;
  for (const char* const purpose : {scratch_purpose, results_purpose, encoder_purpose}) {
    beyond += allocation_log().most_bytes(purpose);
  }
  return {.gpu_memory = {{"allocations", allocations},
                         {"output_bytes", allocation_log().most_bytes(frame_purpose)},
                         {"beyond_input_and_output_bytes", beyond},
                         {"free_memory_drop_bytes", use.free_memory_drop_bytes}},
          .frame_bytes = std::move(frame_bytes)};
}

Json measure_encode_point(const Point& point, const cuda::DeviceBuffer& input,
                          std::span<const std::uint8_t> text, const Dataset& dataset) {
  const std::unique_ptr<stage::Plan> plan =
      point.stage->encode.at(stage::Executor::gpu)->plan_of(input_to_encode(point, text.size()));
  cuda::DeviceBuffer output = allocate_for(frame_purpose, bytes_of(*plan, stage::Role::output));
  // A frame that was not written is found.
  output.fill(0xb7);
  const Encoded encoded = encode_and_count(*plan, input, output);
  const std::string name = point.id + " " + encode_parameters(point).dump();
  Json row = row_to_json(
      {.stage = point.id,
       .variant = point.variant,
       .parameters = encode_parameters(point),
       .uncompressed_bytes = text.size(),
       .compressed_bytes = verified_frame_bytes(name, point.input.format, output, encoded.frame_bytes, text),
       .seconds = std::nullopt},
      dataset);
  row["operation"] = "encode";
  row["gpu_memory"] = encoded.gpu_memory;
  row.update(point.row);
  return row;
}

}  // namespace

void measure_encoder_memory(std::span<const Point> points, std::span<const std::uint8_t> text,
                            const Dataset& dataset, const CountPoint& count_point) {
  const cuda::DeviceBuffer input = allocate_for(text_purpose, text);
  for (std::size_t i = 0; i < points.size(); ++i) {
    count_point(i, [&] { return measure_encode_point(points[i], input, text, dataset); });
  }
}

}  // namespace gsst::experiments
