#include "experiments/measure_memory/encoder_memory.hpp"

#include <cuda_runtime_api.h>

#include <optional>
#include <string>
#include <utility>

#include "common/cuda/error.hpp"
#include "experiments/measure/shared/device_memory.hpp"
#include "experiments/measure/shared/encoded_frame.hpp"
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
Encoded encode_and_count(const stage::Encoder& encoder, stage::EncodeRequest request,
                         std::size_t scratch_bytes) {
  allocation_log().restart();
  const DeviceMemoryWatch memory;
  cuda::DeviceBuffer scratch = allocate_for(scratch_purpose, scratch_bytes);
  cuda::DeviceBuffer status =
      allocate_for(results_purpose, std::size_t{block_count(request.settings)} * sizeof(std::uint32_t));
  cuda::DeviceBuffer frame_bytes = allocate_for(results_purpose, sizeof(std::uint64_t));
  frame_bytes.fill(0xff);
  request.scratch = scratch.data();
  request.status = reinterpret_cast<std::uint32_t*>(status.data());
  request.frame_bytes = reinterpret_cast<std::uint64_t*>(frame_bytes.data());
  {
    const AllocationPurpose scope(encoder_purpose);
    encoder.train(request);
    for (const stage::EncodePhase& phase : encoder.phases) phase.enqueue(request);
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
  const stage::Encoder& encoder = *point.stage->encoders.at(stage::Executor::gpu);
  const stage::EncodeSettings settings = encode_settings(point, text.size());
  const stage::EncodeSpace space = encoder.space(settings);
  cuda::DeviceBuffer output = allocate_for(frame_purpose, space.output_bytes);
  // A frame that was not written is found.
  output.fill(0xb7);
  const Encoded encoded = encode_and_count(encoder,
                                           {.settings = settings,
                                            .input = input.data(),
                                            .output = output.data(),
                                            .scratch = nullptr,
                                            .status = nullptr,
                                            .frame_bytes = nullptr,
                                            .stream = nullptr},
                                           space.scratch_bytes);
  const std::string name = point.id + " " + encode_parameters(point).dump();
  Json row = row_to_json({.stage = point.id,
                          .variant = point.variant,
                          .parameters = encode_parameters(point),
                          .uncompressed_bytes = text.size(),
                          .compressed_bytes = verified_frame_bytes(name, output, encoded.frame_bytes, text),
                          .seconds = std::nullopt},
                         dataset);
  row["operation"] = "encode";
  row["gpu_memory"] = encoded.gpu_memory;
  row.update(point.row);
  return row;
}

}  // namespace

std::vector<Json> measure_encoder_memory(std::span<const Point> points, std::span<const std::uint8_t> text,
                                         const Dataset& dataset) {
  const cuda::DeviceBuffer input = allocate_for(text_purpose, text);
  std::vector<Json> rows;
  for (const Point& point : points) rows.push_back(measure_encode_point(point, input, text, dataset));
  return rows;
}

}  // namespace gsst::experiments
