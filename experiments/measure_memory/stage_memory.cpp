#include "experiments/measure_memory/stage_memory.hpp"

#include <cstring>

#include "common/cuda/error.hpp"
#include "common/stage/decode_plan.hpp"
#include "experiments/measure/shared/device_check.hpp"
#include "experiments/measure/shared/device_memory.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure_memory/counted_buffer.hpp"
#include "reference_cpu/memory_codec.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

// What allocations are for.
constexpr const char* input_purpose = "input";
constexpr const char* output_purpose = "output";
constexpr const char* statuses_purpose = "statuses";
constexpr const char* decoder_scratch_purpose = "scratch";
constexpr const char* decoder_purpose = "decoder";
constexpr const char* verification_purpose = "verification";

// A compressed form of the text, on the device.
struct DeviceFrame {
  explicit DeviceFrame(const std::vector<std::uint8_t>& frame)
      : plan(frame), bytes(allocate_for(input_purpose, frame)) {}

  stage::DecodePlan plan;
  cuda::DeviceBuffer bytes;
};

void check_statuses(const cuda::DeviceBuffer& status) {
  const std::vector<std::uint8_t> bytes = status.to_host();
  std::vector<std::uint32_t> statuses(bytes.size() / sizeof(std::uint32_t));
  std::memcpy(statuses.data(), bytes.data(), bytes.size());
  stage::check_statuses(statuses);
}

// All that a decoding needs besides the frame and the output is allocated in here.
Json decode_and_count(const Point& point, const DeviceFrame& frame, cuda::DeviceBuffer& output) {
  allocation_log().restart();
  const DeviceMemoryWatch memory;
  cuda::DeviceBuffer status =
      allocate_for(statuses_purpose, frame.plan.block_count() * sizeof(std::uint32_t));
  const stage::FrameOnDevice on_device = frame.plan.frame_at(frame.bytes.data());
  cuda::DeviceBuffer scratch =
      allocate_for(decoder_scratch_purpose, stage::scratch_bytes(point.stage->description, on_device));
  {
    const AllocationPurpose scope(decoder_purpose);
    point.stage->decode.at(stage::Executor::gpu)({.frame = on_device,
                                                  .output = output.data(),
                                                  .status = reinterpret_cast<std::uint32_t*>(status.data()),
                                                  .scratch = scratch.data(),
                                                  .parameters = point.parameters,
                                                  .stream = nullptr});
  }
  GSST_CUDA_CHECK(cudaDeviceSynchronize());
  check_statuses(status);
  const DeviceMemoryUse use = memory.use();
  Json allocations = Json::object();
  for (const char* const purpose :
       {input_purpose, output_purpose, statuses_purpose, decoder_scratch_purpose, decoder_purpose}) {
    allocations[purpose] = allocation_log().most_bytes(purpose);
  }
  std::size_t beyond = 0;
  for (const char* const purpose : {statuses_purpose, decoder_scratch_purpose, decoder_purpose}) {
    beyond += allocation_log().most_bytes(purpose);
  }
  return {{"allocations", allocations},
          {"beyond_input_and_output_bytes", beyond},
          {"free_memory_drop_bytes", use.free_memory_drop_bytes}};
}

Json measure_point(const Point& point, const DeviceFrame& frame, const cuda::DeviceBuffer& expected,
                   cuda::DeviceBuffer& output, const Dataset& dataset) {
  poison_on_device(output.data(), expected.data(), expected.size());
  const Json gpu_memory = decode_and_count(point, frame, output);
  const AllocationPurpose scope(verification_purpose);
  const std::uint64_t differences = count_differences(output.data(), expected.data(), expected.size());
  if (differences != 0) {
    throw MismatchError(point_to_json(point).dump() + ": " + std::to_string(differences) +
                        " bytes differ from the text");
  }
  Json row = row_to_json({.stage = point.id,
                          .variant = point.variant,
                          .parameters = decode_parameters(point, frame.plan.block_count()),
                          .uncompressed_bytes = frame.plan.uncompressed_bytes(),
                          .compressed_bytes = frame.bytes.size(),
                          .seconds = std::nullopt},
                         dataset);
  row["gpu_memory"] = gpu_memory;
  row.update(point.row);
  return row;
}

}  // namespace

std::vector<Json> measure_decoder_memory(std::span<const Point> points, std::span<const std::uint8_t> text,
                                         const Dataset& dataset) {
  const cuda::DeviceBuffer expected = allocate_for(verification_purpose, text);
  cuda::DeviceBuffer output = allocate_for(output_purpose, text.size());
  const DeviceFrame frame(reference::compress(text, compress_options(points.front().input, text.size())));
  std::vector<Json> rows;
  for (const Point& point : points) rows.push_back(measure_point(point, frame, expected, output, dataset));
  return rows;
}

}  // namespace gsst::experiments
