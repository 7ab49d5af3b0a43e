#include "experiments/measure_memory/stage_memory.hpp"

#include <array>
#include <memory>

#include "common/cuda/error.hpp"
#include "common/stage/frame_shape.hpp"
#include "experiments/measure/shared/device_check.hpp"
#include "experiments/measure/shared/device_memory.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/given.hpp"
#include "experiments/measure_memory/counted_buffer.hpp"

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
      : shape(stage::frame_shape(frame)), bytes(allocate_for(input_purpose, frame)) {}

  stage::FrameOnDevice shape;
  cuda::DeviceBuffer bytes;
};

// All that a decoding needs besides the frame and the output is allocated in here.
Json decode_and_count(const Point& point, DeviceFrame& frame, cuda::DeviceBuffer& output) {
  allocation_log().restart();
  const DeviceMemoryWatch memory;
  const std::unique_ptr<stage::Plan> plan = point.stage->decode.at(stage::Executor::gpu)
                                                .make({.frame = frame.shape, .parameters = point.parameters});
  cuda::DeviceBuffer status = allocate_for(statuses_purpose, bytes_of(*plan, stage::Role::status));
  cuda::DeviceBuffer scratch = allocate_for(decoder_scratch_purpose, bytes_of(*plan, stage::Role::scratch));
  {
    const AllocationPurpose scope(decoder_purpose);
    enqueue_all(*plan, std::array{given(frame.bytes), given(output), given(scratch), given(status)}, nullptr);
  }
  GSST_CUDA_CHECK(cudaDeviceSynchronize());
  const std::vector<std::uint8_t> words = status.to_host();
  throw_problem(plan->check(std::as_bytes(std::span(words)), {}, 0));
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

Json measure_point(const Point& point, DeviceFrame& frame, const cuda::DeviceBuffer& expected,
                   cuda::DeviceBuffer& output, const Dataset& dataset) {
  poison_on_device(output.data(), expected.data(), expected.size());
  const Json gpu_memory = decode_and_count(point, frame, output);
  const AllocationPurpose scope(verification_purpose);
  const std::uint64_t differences = count_differences(output.data(), expected.data(), expected.size());
  if (differences != 0) {
    throw MismatchError(point_to_json(point).dump() + ": " + std::to_string(differences) +
                        " bytes differ from the text");
  }
  Json row =
      row_to_json({.stage = point.id,
                   .variant = point.variant,
                   .parameters = decode_parameters(point, frame.shape.block_count, frame.shape.split_count),
                   .uncompressed_bytes = frame.shape.uncompressed_bytes,
                   .compressed_bytes = frame.bytes.size(),
                   .seconds = std::nullopt},
                  dataset);
  row["gpu_memory"] = gpu_memory;
  row.update(point.row);
  return row;
}

}  // namespace

void measure_decoder_memory(std::span<const Point> points, std::span<const std::uint8_t> text,
                            const Dataset& dataset, const CountPoint& count_point) {
  const cuda::DeviceBuffer expected = allocate_for(verification_purpose, text);
  cuda::DeviceBuffer output = allocate_for(output_purpose, text.size());
  DeviceFrame frame(make_frame(points.front().input, text));
  for (std::size_t i = 0; i < points.size(); ++i) {
    count_point(i, [&] { return measure_point(points[i], frame, expected, output, dataset); });
  }
}

}  // namespace gsst::experiments
