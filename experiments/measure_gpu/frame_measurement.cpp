#include "experiments/measure_gpu/frame_measurement.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>

#include "common/format/block.hpp"
#include "common/format/error.hpp"
#include "common/format/frame.hpp"
#include "common/format/tiles_header.hpp"
#include "common/stage/frame_shape.hpp"
#include "experiments/measure/error.hpp"
#include "experiments/measure_gpu/graph_timer.hpp"
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
      : shape(stage::frame_shape(frame)),
        tile_shape(first_tile_shape(frame)),
        bytes(frame),
        status(shape.block_count * sizeof(std::uint32_t)) {}

  stage::FrameOnDevice shape;
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

std::unique_ptr<stage::Plan> plan_of(const Point& point, const DeviceFrame& frame) {
  return point.stage->decode.at(stage::Executor::gpu)
      .make({.frame = frame.shape, .parameters = point.parameters});
}

// Scratch memory for whichever of `points` runs.
std::size_t scratch_bytes_of(std::span<const Point> points, const DeviceFrame& frame) {
  std::size_t most = 0;
  for (const Point& point : points) {
    most = std::max<std::size_t>(most, bytes_of(*plan_of(point, frame), stage::Role::scratch));
  }
  return most;
}

stage::Given given(cuda::DeviceBuffer& buffer) {
  return {.data = buffer.data(), .bytes = buffer.size()};
}

// What is verified and timed: a point, launched as anybody does, and as a graph where it asks for that.
class PointOnDevice {
public:
  // Verifies both, which is the warm-up too. All that is given must outlive the object.
  PointOnDevice(const Point& point, DeviceFrame& frame, const cuda::DeviceBuffer& expected,
                cuda::DeviceBuffer& output)
      : point_(point), frame_(frame), expected_(expected), output_(output), plan_(plan_of(point, frame)) {
    verify_launch();
    if (!point.graph) return;
    graph_ = std::make_unique<GraphTimer>([this](cudaStream_t stream) { enqueue(stream); });
    verify_graph();
  }

  const Point& point() const { return point_; }
  GraphTimer* graph() { return graph_.get(); }

  void enqueue(cudaStream_t stream = nullptr) {
    enqueue_all(*plan_,
                std::array{given(frame_.bytes), given(output_), given(frame_.scratch), given(frame_.status)},
                stream);
  }

  void verify() {
    verify_launch();
    if (graph_) verify_graph();
  }

private:
  void verify_launch() {
    verify_output(point_to_json(point_).dump(), [&] { enqueue(); });
  }
  void verify_graph() {
    verify_output(point_to_json(point_).dump() + ", as a graph", [&] { graph_->launch(); });
  }

  void verify_output(const std::string& what, const std::function<void()>& enqueue_work) {
    poison_on_device(output_.data(), expected_.data(), expected_.size());
    enqueue_work();
    const std::uint64_t differences = count_differences(output_.data(), expected_.data(), expected_.size());
    if (differences != 0) {
      throw MismatchError(what + ": " + std::to_string(differences) + " bytes differ from the text");
    }
    const std::vector<std::uint8_t> status = frame_.status.to_host();
    throw_problem(plan_->check(std::as_bytes(std::span(status)), {}, 0));
  }

  const Point& point_;
  DeviceFrame& frame_;
  const cuda::DeviceBuffer& expected_;
  cuda::DeviceBuffer& output_;
  std::unique_ptr<stage::Plan> plan_;
  std::unique_ptr<GraphTimer> graph_;
};

// The works of each point, in order: its own, and its graph's where it has one.
std::vector<TimedWork> works_of(std::span<const std::unique_ptr<PointOnDevice>> points, EventTimer& timer) {
  std::vector<TimedWork> works;
  for (const std::unique_ptr<PointOnDevice>& point : points) {
    const std::string& id = point->point().stage->description.id;
    works.push_back({.name = id, .seconds = [&timer, work = point.get()] {
                       return timer.seconds(nullptr, [work] { work->enqueue(); });
                     }});
    if (GraphTimer* const graph = point->graph()) {
      works.push_back({.name = id + " as a graph", .seconds = [graph] { return graph->seconds(); }});
    }
  }
  return works;
}

// `graph_seconds` is empty where none were asked for.
Json make_row(const Point& point, const DeviceFrame& frame, std::span<const double> seconds,
              std::span<const double> graph_seconds, const Dataset& dataset) {
  Json parameters = Json::object();
  for (const stage::Parameter& parameter : point.stage->description.parameters) {
    parameters[parameter.name] =
        stage::parameter_value(point.stage->description, point.parameters, parameter.name);
  }
  // Rounding up the bytes per block may leave fewer blocks than asked for: the ones that exist count.
  parameters["blocks"] = frame.shape.block_count;
  parameters["splits"] = point.splits;
  Row row = {.stage = point.stage->description.id,
             .variant = point.variant,
             .parameters = parameters,
             .uncompressed_bytes = frame.shape.uncompressed_bytes,
             .compressed_bytes = frame.bytes.size(),
             .seconds = summarize(seconds)};
  Json json = row_to_json(row, dataset);
  if (!graph_seconds.empty()) {
    row.seconds = summarize(graph_seconds);
    json["graph_seconds"] = row_to_json(row, dataset).at("seconds");
  }
  return json;
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
  const std::uint64_t written = frame.shape.uncompressed_bytes;
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
  std::vector<std::unique_ptr<PointOnDevice>> on_device;
  for (const Point& point : points) {
    on_device.push_back(std::make_unique<PointOnDevice>(point, frame, expected_, output_));
  }
  const StreamingLimit limit = measure_streaming_limit({.input = frame.bytes.data(),
                                                        .read_bytes = frame.bytes.size(),
                                                        .output = output_.data(),
                                                        .written_bytes = output_.size()},
                                                       limit_repetitions);
  EventTimer timer;
  const std::vector<TimedWork> works = works_of(on_device, timer);
  std::vector<std::vector<double>> seconds;
  const Json clocks =
      summarize_samples(monitor_.sample_during([&] { seconds = time_interleaved(works, repetitions_); }));
  std::vector<Json> rows;
  auto next = seconds.begin();
  for (const std::unique_ptr<PointOnDevice>& measured : on_device) {
    measured->verify();
    const Point& point = measured->point();
    const std::vector<double> of_launch = *next++;
    const std::vector<double> of_graph = measured->graph() ? *next++ : std::vector<double>();
    rows.push_back(make_row(point, frame, of_launch, of_graph, dataset_));
    add_limit(rows.back(), limit, frame);
    if (frame.tile_shape) rows.back()["tiles"] = tiles_to_json(point, *frame.tile_shape);
    rows.back()["clocks"] = clocks;
    rows.back().update(point.row);
  }
  return rows;
}

}  // namespace gsst::experiments
