#include "experiments/measure_search/search_trial.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <map>
#include <string>
#include <thread>
#include <utility>

#include "common/cuda/device_buffer.hpp"
#include "common/cuda/error.hpp"
#include "experiments/measure/shared/event_timer.hpp"
#include "experiments/measure/shared/frame_in_rows.hpp"
#include "experiments/measure_search/search_rows.hpp"
#include "experiments/measure_search/searches.hpp"
#include "experiments/measure_sums/reading_limit.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

// The frame of a group of points.
struct FrameOfGroup {
  FrameOfGroup(const Input& input, const std::vector<std::uint8_t>& frame)
      : on_device(stage::Executor::gpu, frame), in_rows(frame_in_rows(input, frame)) {}

  SearchedFrame on_device;
  Json in_rows;
};

class SearchTrial : public Trial {
public:
  SearchTrial(std::vector<Point> points, std::shared_ptr<FrameOfGroup> frame,
              std::shared_ptr<ExpectedMatches> expected, const Dataset& dataset)
      : points_(std::move(points)),
        frame_(std::move(frame)),
        expected_(std::move(expected)),
        dataset_(dataset),
        searches_(points_, frame_->on_device, wanted_search(points_.front()), *expected_),
        readings_(reading_variants()),
        read_(sizeof(std::uint32_t)) {}

  std::vector<Work> works() override {
    std::vector<Work> works;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const auto search = [this, i] { searches_.enqueue(i, nullptr); };
      works.push_back({.name = points_[i].id,
                       .seconds = [this, search] { return timer_.seconds(nullptr, search); },
                       .verification = Verification{.poison = [this, i] { searches_.poison(i); },
                                                    .run = search,
                                                    .check =
                                                        [this, i] {
                                                          GSST_CUDA_CHECK(cudaDeviceSynchronize());
                                                          searches_.check(i);
                                                        }}});
    }
    for (const ReadingVariant& reading : readings_) {
      works.push_back({.name = "reading, " + reading.name, .seconds = [this, &reading] {
                         return timer_.seconds(nullptr, [this, &reading] {
                           const std::span<const std::uint8_t> bytes = frame_->on_device.bytes();
                           reading.enqueue(bytes.data(), bytes.size(), read_.data());
                         });
                       }});
    }
    return works;
  }

  std::vector<std::vector<Json>> rows(const Measured& measured) override {
    std::vector<ReadingTime> times;
    for (std::size_t i = 0; i < readings_.size(); ++i) {
      times.push_back({readings_[i].name, summarize(measured.seconds[points_.size() + i]).median});
    }
    const ReadingTime fastest = std::ranges::min(times, {}, &ReadingTime::seconds);
    std::vector<std::vector<Json>> rows;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      Json row =
          row_of_search(points_[i], frame_->on_device, *expected_, measured.seconds[i], fastest, dataset_);
      row.update(frame_->in_rows);
      rows.push_back({row});
    }
    return rows;
  }

private:
  std::vector<Point> points_;
  std::shared_ptr<FrameOfGroup> frame_;
  std::shared_ptr<ExpectedMatches> expected_;
  const Dataset& dataset_;
  Searches searches_;
  std::vector<ReadingVariant> readings_;
  // Of reading, which writes nothing else.
  cuda::DeviceBuffer read_;
  EventTimer timer_;
};

class SearchKind : public Kind {
public:
  explicit SearchKind(const Measurement& measurement) : measurement_(measurement) {}

  std::vector<Preparation> prepare(std::span<const Point> group) override {
    const auto frame = std::make_shared<FrameOfGroup>(group.front().input,
                                                      make_frame(group.front().input, measurement_.text));
    std::vector<Preparation> preparations;
    for (const std::vector<std::size_t>& places : group_by_search(group)) {
      std::vector<Point> points;
      points.reserve(places.size());
      for (const std::size_t place : places) points.push_back(group[place]);
      preparations.push_back({.points = places, .make = [this, frame, points] {
                                return std::make_unique<SearchTrial>(
                                    points, frame, expected(wanted_search(points.front()).pattern),
                                    measurement_.dataset);
                              }});
    }
    return preparations;
  }

private:
  // Is found once for all frames of the text.
  std::shared_ptr<ExpectedMatches> expected(const std::string& pattern) {
    std::shared_ptr<ExpectedMatches>& matches = expected_[pattern];
    if (matches == nullptr) {
      matches =
          std::make_shared<ExpectedMatches>(measurement_.text, pattern, std::thread::hardware_concurrency());
    }
    return matches;
  }

  Measurement measurement_;
  std::map<std::string, std::shared_ptr<ExpectedMatches>> expected_;
};

}  // namespace

std::shared_ptr<Kind> search_kind(const Measurement& measurement) {
  return std::make_shared<SearchKind>(measurement);
}

}  // namespace gsst::experiments
