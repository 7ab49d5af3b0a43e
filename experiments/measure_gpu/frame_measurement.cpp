#include "experiments/measure_gpu/frame_measurement.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "common/format/block.hpp"
#include "common/format/error.hpp"
#include "common/format/frame.hpp"
#include "common/format/tiles_header.hpp"
#include "common/stage/decode_plan.hpp"
#include "experiments/measure/error.hpp"
#include "experiments/measure_shared/device_check.hpp"
#include "experiments/measure_shared/event_timer.hpp"
#include "experiments/measure_shared/interleaved_timing.hpp"
#include "experiments/measure_shared/streaming_limit.hpp"
#include "reference_cpu/level.hpp"
#include "reference_cpu/memory_codec.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr unsigned limit_repetitions = 5;

// The shape of the first block of a frame of format tiles that is not stored raw.
std::optional<format::TileShape> first_tile_shape(std::span<const std::uint8_t> bytes) {
  const format::FrameView frame = format::parse_frame(bytes);
  if (frame.header.format != format::BlockFormat::tiles) return std::nullopt;
  for (const format::IndexEntry& entry : frame.index.entries) {
    if (entry.record.layout == format::BlockLayout::raw) continue;
    return format::TilesHeader(bytes.data() + entry.payload_offset).shape();
  }
  return std::nullopt;
}

// A compressed form of the text, on the device.
struct DeviceFrame {
  explicit DeviceFrame(const std::vector<std::uint8_t>& frame)
      : plan(frame),
        tile_shape(first_tile_shape(frame)),
        bytes(frame),
        status(plan.block_count() * sizeof(std::uint32_t)) {}

  stage::DecodePlan plan;
  std::optional<format::TileShape> tile_shape;
  cuda::DeviceBuffer bytes;
  cuda::DeviceBuffer status;
  cuda::DeviceBuffer scratch{0};
};

DeviceFrame make_frame(const Point& point, std::span<const std::uint8_t> text) {
  return DeviceFrame(reference::compress(text, {.format = point.stage->description.format,
                                                .block_bytes = format::part_size(text.size(), point.blocks),
                                                .split_count = point.splits,
                                                .code_bits = point.code_bits,
                                                .codes_per_lane = point.codes_per_lane,
                                                .level = point.level,
                                                .parse = point.parse}));
}

// Scratch memory for whichever of `points` runs.
std::size_t scratch_bytes_of(std::span<const Point> points, const DeviceFrame& frame) {
  std::size_t most = 0;
  for (const Point& point : points) {
    const stage::FrameOnDevice on_device = frame.plan.frame_at(frame.bytes.data());
    most = std::max(most, stage::scratch_bytes(point.stage->description, on_device));
  }
  return most;
}

void enqueue_decode(const Point& point, DeviceFrame& frame, cuda::DeviceBuffer& output) {
  point.stage->decode.at(stage::Executor::gpu)(
      {.frame = frame.plan.frame_at(frame.bytes.data()),
       .output = output.data(),
       .status = reinterpret_cast<std::uint32_t*>(frame.status.data()),
       .scratch = frame.scratch.data(),
       .parameters = point.parameters,
       .stream = nullptr});
}

void check_statuses(const DeviceFrame& frame) {
  const std::vector<std::uint8_t> bytes = frame.status.to_host();
  std::vector<std::uint32_t> statuses(frame.plan.block_count());
  std::memcpy(statuses.data(), bytes.data(), bytes.size());
  stage::check_statuses(statuses);
}

void verify(const Point& point, DeviceFrame& frame, const cuda::DeviceBuffer& expected,
            cuda::DeviceBuffer& output) {
  poison_on_device(output.data(), expected.data(), expected.size());
  enqueue_decode(point, frame, output);
  const std::uint64_t differences = count_differences(output.data(), expected.data(), expected.size());
  if (differences != 0) {
    throw MismatchError(point_to_json(point).dump() + ": " + std::to_string(differences) +
                        " bytes differ from the text");
  }
  check_statuses(frame);
}

Json make_row(const Point& point, const DeviceFrame& frame, std::span<const double> seconds,
              const Dataset& dataset) {
  Json parameters = Json::object();
  for (const stage::Parameter& parameter : point.stage->description.parameters) {
    parameters[parameter.name] =
        stage::parameter_value(point.stage->description, point.parameters, parameter.name);
  }
  // Rounding up the bytes per block may leave fewer blocks than asked for: the ones that exist count.
  parameters["blocks"] = frame.plan.block_count();
  parameters["splits"] = point.splits;
  return row_to_json({.stage = point.stage->description.id,
                      .variant = point.variant,
                      .parameters = parameters,
                      .uncompressed_bytes = frame.plan.uncompressed_bytes(),
                      .compressed_bytes = frame.bytes.size(),
                      .seconds = summarize(seconds)},
                     dataset);
}

// How the frame was made.
Json tiles_to_json(const Point& point, const format::TileShape& shape) {
  const reference::Parse parse = point.parse.value_or(reference::level_parse(point.level));
  return {{"code_bits", shape.code_bits},
          {"codes_per_lane", shape.codes_per_lane},
          {"level", point.level},
          {"parse", parse == reference::Parse::greedy ? "greedy" : "optimal"}};
}

void add_limit(Json& row, const StreamingLimit& limit, const DeviceFrame& frame) {
  const StreamingTime& best = limit.variants.front();
  const std::uint64_t written = frame.plan.uncompressed_bytes();
  row["streaming_limit_gb_per_s"] = gigabytes_per_second(written, best.seconds);
  row["streaming_limit_moved_gb_per_s"] = gigabytes_per_second(written + frame.bytes.size(), best.seconds);
  row["copy_moved_gb_per_s"] = limit.copy_bytes_per_second * 1e-9;
  row["streaming_limit_variant"] = best.variant;
}

}  // namespace

FrameMeasurement::FrameMeasurement(std::span<const std::uint8_t> text, Dataset dataset, unsigned repetitions,
                                   const DeviceMonitor& monitor)
    : text_(text),
      dataset_(std::move(dataset)),
      repetitions_(repetitions),
      monitor_(monitor),
      expected_(text),
      output_(text.size()) {}

std::vector<Json> FrameMeasurement::measure(std::span<const Point> points) {
  DeviceFrame frame = make_frame(points.front(), text_);
  frame.scratch = cuda::DeviceBuffer(scratch_bytes_of(points, frame));
  for (const Point& point : points) verify(point, frame, expected_, output_);
  const StreamingLimit limit = measure_streaming_limit({.input = frame.bytes.data(),
                                                        .read_bytes = frame.bytes.size(),
                                                        .output = output_.data(),
                                                        .written_bytes = output_.size()},
                                                       limit_repetitions);
  EventTimer timer;
  std::vector<TimedWork> works;
  for (const Point& point : points) {
    works.push_back({.name = point.stage->description.id, .seconds = [&] {
                       return timer.seconds(nullptr, [&] { enqueue_decode(point, frame, output_); });
                     }});
  }
  std::vector<std::vector<double>> seconds;
  const Json clocks =
      summarize_samples(monitor_.sample_during([&] { seconds = time_interleaved(works, repetitions_); }));
  std::vector<Json> rows;
  for (std::size_t i = 0; i < points.size(); ++i) {
    verify(points[i], frame, expected_, output_);
    rows.push_back(make_row(points[i], frame, seconds[i], dataset_));
    add_limit(rows.back(), limit, frame);
    if (frame.tile_shape) rows.back()["tiles"] = tiles_to_json(points[i], *frame.tile_shape);
    rows.back()["clocks"] = clocks;
    rows.back().update(points[i].row);
  }
  return rows;
}

}  // namespace gsst::experiments
