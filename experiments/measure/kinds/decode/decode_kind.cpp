// Decoder stages on frames that the host has made. Each row has `graph_seconds` as well where its point asks
// for times of the decoding as a captured CUDA graph.
#include <memory>
#include <utility>

#include "experiments/measure/kinds/decode/decode_on_device.hpp"
#include "experiments/measure/kinds/decode/graph_timer.hpp"
#include "experiments/measure/kinds/kinds.hpp"
#include "experiments/measure/shared/device_verification.hpp"
#include "experiments/measure/shared/event_timer.hpp"
#include "experiments/measure/shared/frame_in_rows.hpp"
#include "experiments/measure/shared/trial.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

// All points of one frame: their repetitions come in random order.
class DecodeTrial : public Trial {
public:
  // `frame` is what the input of all points says of the text.
  DecodeTrial(std::span<const Point> points, const std::vector<std::uint8_t>& frame,
              const Measurement& measurement, const cuda::DeviceBuffer& expected, cuda::DeviceBuffer& output)
      : points_(points),
        dataset_(measurement.dataset),
        expected_(expected),
        output_(output),
        frame_(points, frame),
        frame_in_rows_(frame_in_rows(points.front().input, frame)),
        graphs_(points.size()) {}

  std::vector<Work> works() override {
    std::vector<Work> works;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Point& point = points_[i];
      const std::string name = point_to_json(point).dump();
      const auto launch = [this, i] { frame_.enqueue(i, output_, nullptr); };
      works.push_back({.name = point.id,
                       .seconds = [this, launch] { return timer().seconds(nullptr, launch); },
                       .verification = verified(name, i, launch)});
      if (!point.graph) continue;
      works.push_back({.name = point.id + " as a graph",
                       .seconds = [&graph = graphs_[i]] { return graph->seconds(); },
                       .verification = verified(name + ", as a graph", i, [this, i, &graph = graphs_[i]] {
                         if (!graph) {
                           graph = std::make_unique<GraphTimer>(
                               [this, i](cudaStream_t stream) { frame_.enqueue(i, output_, stream); });
                         }
                         graph->launch();
                       })});
    }
    return works;
  }

  std::optional<StreamingBuffers> streamed() override {
    return StreamingBuffers{.input = frame_.frame().data(),
                            .read_bytes = frame_.frame().size(),
                            .output = output_.data(),
                            .written_bytes = output_.size()};
  }

  std::vector<std::vector<Json>> rows(const Measured& measured) override {
    std::vector<std::vector<Json>> rows;
    auto next = measured.seconds.begin();
    for (const Point& point : points_) {
      Row row = {.stage = point.id,
                 .variant = point.variant,
                 .parameters = decode_parameters(point, frame_.block_count(), frame_.split_count()),
                 .uncompressed_bytes = frame_.uncompressed_bytes(),
                 .compressed_bytes = frame_.frame().size(),
                 .seconds = summarize(*next++)};
      Json json = row_to_json(row, dataset_);
      if (point.graph) {
        row.seconds = summarize(*next++);
        json["graph_seconds"] = row_to_json(row, dataset_).at("seconds");
      }
      json.update(frame_in_rows_);
      rows.push_back({json});
    }
    return rows;
  }

private:
  Verification verified(const std::string& name, std::size_t point, std::function<void()> run) {
    return verification_of(name, output_, expected_, std::move(run),
                           [this, point] { frame_.check_statuses(point); });
  }

  EventTimer& timer() {
    if (!timer_) timer_.emplace();
    return *timer_;
  }

  std::span<const Point> points_;
  const Dataset& dataset_;
  const cuda::DeviceBuffer& expected_;
  cuda::DeviceBuffer& output_;
  DecodeOnDevice frame_;
  Json frame_in_rows_;
  std::vector<std::unique_ptr<GraphTimer>> graphs_;
  std::optional<EventTimer> timer_;
};

// The text and one output stay on the device.
class DecodeKind : public Kind {
public:
  explicit DecodeKind(const Measurement& measurement)
      : measurement_(measurement), expected_(measurement.text), output_(measurement.text.size()) {}

  std::vector<Preparation> prepare(std::span<const Point> group) override {
    Preparation all{.points = {}, .make = [this, group] {
                      const auto frame = make_frame(group.front().input, measurement_.text);
                      return std::make_unique<DecodeTrial>(group, frame, measurement_, expected_, output_);
                    }};
    for (std::size_t i = 0; i < group.size(); ++i) all.points.push_back(i);
    return {all};
  }

private:
  Measurement measurement_;
  cuda::DeviceBuffer expected_;
  cuda::DeviceBuffer output_;
};

}  // namespace

PointMeasurer decode_kind() {
  return {.kind = "decode",
          .description = "Decoder stages; every row is verified byte for byte before and after",
          .operations = {stage::Operation::decode},
          .make = [](const Measurement& measurement) {
            return measure_trials(std::make_shared<DecodeKind>(measurement), measurement);
          }};
}

}  // namespace gsst::experiments
