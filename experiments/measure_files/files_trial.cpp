#include "experiments/measure_files/files_trial.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/cuda/device_buffer.hpp"
#include "common/format/codag/deflate.hpp"
#include "experiments/measure/kinds/decode/graph_timer.hpp"
#include "experiments/measure/shared/device_check.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/event_timer.hpp"
#include "experiments/measure_files/gzip_on_device.hpp"
#include "experiments/measure_files/orc_on_device.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;
using MakeFile = std::function<std::unique_ptr<FileOnDevice>()>;

class FileTrial : public Trial {
public:
  // `expected` is in host memory.
  FileTrial(const Point& point, const Dataset& dataset, const MakeFile& make,
            std::span<const std::uint8_t> expected)
      : point_(point), dataset_(dataset), expected_(expected), file_(make()) {
    if (file_->output().size() != expected.size())
      throw MismatchError(point.id + ": other bytes are decoded");
  }

  std::vector<Work> works() override {
    const std::string name = point_to_json(point_).dump();
    std::vector<Work> works;
    works.push_back(
        {.name = point_.id,
         .seconds = [this] { return timer_.seconds(nullptr, [this] { file_->enqueue(nullptr); }); },
         .verification = verified(name, [this] { file_->enqueue(nullptr); })});
    works.push_back({.name = point_.id + " as a graph",
                     .seconds = [this] { return graph_->seconds(); },
                     .verification = verified(name + ", as a graph", [this] {
                       if (!graph_) {
                         graph_.emplace([this](cudaStream_t stream) { file_->enqueue(stream); });
                       }
                       graph_->launch();
                     })});
    return works;
  }

  std::optional<StreamingBuffers> streamed() override {
    return StreamingBuffers{.input = file_->input().data(),
                            .read_bytes = file_->input().size(),
                            .output = file_->output().data(),
                            .written_bytes = file_->output().size()};
  }

  std::vector<std::vector<Json>> rows(const Measured& measured) override {
    Row row = {.stage = point_.id,
               .variant = point_.variant,
               .parameters = file_->parameters(),
               .uncompressed_bytes = file_->output().size(),
               .compressed_bytes = file_->file_bytes(),
               .seconds = summarize(measured.seconds[0])};
    Json json = row_to_json(row, dataset_);
    row.seconds = summarize(measured.seconds[1]);
    json["graph_seconds"] = row_to_json(row, dataset_).at("seconds");
    json.update(file_->keys());
    return {{json}};
  }

private:
  Verification verified(const std::string& name, std::function<void()> run) {
    return {
        .poison = [this] { poison_on_device(file_->output().data(), expected_.data(), expected_.size()); },
        .run = std::move(run),
        .check =
            [this, name] {
              const std::uint64_t differences =
                  count_differences(file_->output().data(), expected_.data(), expected_.size());
              if (differences != 0) {
                throw MismatchError(name + ": " + std::to_string(differences) +
                                    " bytes differ from the values");
              }
              file_->check();
            }};
  }

  const Point& point_;
  const Dataset& dataset_;
  cuda::DeviceBuffer expected_;
  std::unique_ptr<FileOnDevice> file_;
  std::optional<GraphTimer> graph_;
  EventTimer timer_;
};

class FilesKind : public Kind {
public:
  explicit FilesKind(const Measurement& measurement) : measurement_(measurement) {
    if (is_orc_file(measurement.text)) {
      orc_ = std::make_shared<const OrcInput>(read_orc_input(measurement.text));
    }
  }

  std::vector<Preparation> prepare(std::span<const Point> group) override {
    std::vector<Preparation> preparations;
    for (std::size_t i = 0; i < group.size(); ++i) {
      const Point& point = group[i];
      if ((point.id == stage_of_orc) != (orc_ != nullptr)) {
        throw InputError(point.id + (orc_ ? ": decodes no ORC file" : ": the input is no ORC file"));
      }
      preparations.push_back({.points = {i}, .make = [this, &point] { return trial(point); }});
    }
    return preparations;
  }

private:
  std::unique_ptr<Trial> trial(const Point& point) const {
    if (orc_) {
      const auto make = [this] { return make_orc_on_device(measurement_.text, *orc_); };
      return std::make_unique<FileTrial>(point, measurement_.dataset, make, orc_->values);
    }
    if (point.input.format != format::codag::deflate_format) {
      throw InputError(point.id + ": of files of gzip, stages of format deflate only");
    }
    const auto make = [this, &point] {
      return make_gzip_on_device(point,
                                 make_gzip_input(point.input, measurement_.text, members_of_point(point)));
    };
    return std::make_unique<FileTrial>(point, measurement_.dataset, make, measurement_.text);
  }

  Measurement measurement_;
  std::shared_ptr<const OrcInput> orc_;
};

}  // namespace

std::shared_ptr<Kind> files_kind(const Measurement& measurement) {
  return std::make_shared<FilesKind>(measurement);
}

}  // namespace gsst::experiments
