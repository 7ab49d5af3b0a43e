#include "experiments/measure_parquet/pages_trial.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/cuda/device_buffer.hpp"
#include "common/stage/plan.hpp"
#include "experiments/measure/shared/device_verification.hpp"
#include "experiments/measure/shared/event_timer.hpp"
#include "experiments/measure/shared/given.hpp"
#include "stages/tile_integer/12_parquet_delta/parquet_plan.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

// The file, and all memory of a plan that decodes its column, on the device.
class PagesOnDevice {
public:
  PagesOnDevice(std::span<const std::uint8_t> file, const PagedColumn& column)
      : plan_(
            tile_integer::ParquetDecodingOn::get(stage::Executor::gpu).make_plan(column.column, file.size())),
        file_(file),
        values_(column.values.size()),
        levels_(0),
        streams_(bytes_of(*plan_, stage::Role::state)),
        scratch_(bytes_of(*plan_, stage::Role::scratch)),
        status_(bytes_of(*plan_, stage::Role::status)) {
    plan_->prepare(all(), nullptr);
  }

  void enqueue() { enqueue_all(*plan_, all(), nullptr); }
  void enqueue(std::size_t phase) { plan_->enqueue(all(), nullptr, phase); }
  std::span<const stage::Phase> phases() const { return plan_->phases(); }

  // Throws format::FormatError for the first page with a problem.
  void check_statuses() const {
    const std::vector<std::uint8_t> words = status_.to_host();
    throw_problem(plan_->check(std::as_bytes(std::span(words)), {}, 0));
  }

  const cuda::DeviceBuffer& file() const { return file_; }
  cuda::DeviceBuffer& values() { return values_; }

private:
  std::array<stage::Given, 6> all() {
    return {stage::to_read(file_.data(), file_.size()),
            given(values_),
            given(levels_),
            given(streams_),
            given(scratch_),
            given(status_)};
  }

  std::unique_ptr<stage::Plan> plan_;
  cuda::DeviceBuffer file_;
  cuda::DeviceBuffer values_;
  cuda::DeviceBuffer levels_;
  cuda::DeviceBuffer streams_;
  cuda::DeviceBuffer scratch_;
  cuda::DeviceBuffer status_;
};

class PagesTrial : public Trial {
public:
  PagesTrial(std::span<const Point> points, const Measurement& measurement, const PagedColumn& column)
      : points_(points),
        dataset_(measurement.dataset),
        pages_(measurement.text, column),
        expected_(column.values) {}

  std::vector<Work> works() override {
    std::vector<Work> works;
    works.push_back({.name = points_.front().id,
                     .seconds = [this] { return timer_.seconds(nullptr, [this] { pages_.enqueue(); }); },
                     .verification = verification_of(
                         point_to_json(points_.front()).dump(), pages_.values(), expected_,
                         [this] { pages_.enqueue(); }, [this] { pages_.check_statuses(); })});
    // What a phase alone leaves behind is wrong where it needs those before it. No time depends on that, and
    // the whole writes all of it again.
    for (std::size_t phase = 0; phase < pages_.phases().size(); ++phase) {
      works.push_back({.name = std::string(pages_.phases()[phase].name), .seconds = [this, phase] {
                         return timer_.seconds(nullptr, [this, phase] { pages_.enqueue(phase); });
                       }});
    }
    return works;
  }

  std::optional<StreamingBuffers> streamed() override {
    return StreamingBuffers{.input = pages_.file().data(),
                            .read_bytes = pages_.file().size(),
                            .output = pages_.values().data(),
                            .written_bytes = pages_.values().size()};
  }

  std::vector<std::vector<Json>> rows(const Measured& measured) override {
    Json phases = Json::object();
    for (std::size_t phase = 0; phase < pages_.phases().size(); ++phase) {
      std::string key(pages_.phases()[phase].name);
      std::ranges::replace(key, ' ', '_');
      phases[key] = summarize(measured.seconds[1 + phase]).median;
    }
    std::vector<std::vector<Json>> rows;
    for (const Point& point : points_) {
      Json json = row_to_json({.stage = point.id,
                               .variant = point.variant,
                               .parameters = Json::object(),
                               .uncompressed_bytes = pages_.values().size(),
                               .compressed_bytes = pages_.file().size(),
                               .seconds = summarize(measured.seconds.front())},
                              dataset_);
      json["phase_seconds"] = phases;
      rows.push_back({json});
    }
    return rows;
  }

private:
  std::span<const Point> points_;
  const Dataset& dataset_;
  PagesOnDevice pages_;
  cuda::DeviceBuffer expected_;
  EventTimer timer_;
};

class PagesKind : public Kind {
public:
  PagesKind(const Measurement& measurement, const PagedColumn& column)
      : measurement_(measurement), column_(column) {}

  std::vector<Preparation> prepare(std::span<const Point> group) override {
    Preparation all{.points = {}, .make = [this, group] {
                      return std::make_unique<PagesTrial>(group, measurement_, column_);
                    }};
    for (std::size_t i = 0; i < group.size(); ++i) all.points.push_back(i);
    return {all};
  }

private:
  Measurement measurement_;
  const PagedColumn& column_;
};

}  // namespace

std::shared_ptr<Kind> pages_kind(const Measurement& measurement, const PagedColumn& column) {
  return std::make_shared<PagesKind>(measurement, column);
}

}  // namespace gsst::experiments
