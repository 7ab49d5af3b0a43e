#include "experiments/measure_sums/sums_trial.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/event_timer.hpp"
#include "experiments/measure/shared/frame_in_rows.hpp"
#include "experiments/measure_sums/reading_limit.hpp"
#include "experiments/measure_sums/sums_on_device.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

// Modulo 2^32, as stages sum.
std::uint64_t sum_of_text(std::span<const std::uint8_t> text) {
  std::uint32_t sum = 0;
  if (text.size() % sizeof sum != 0) throw InputError("the text is no column of 32-bit numbers");
  for (std::size_t place = 0; place < text.size(); place += sizeof sum) {
    std::uint32_t value = 0;
    std::memcpy(&value, text.data() + place, sizeof value);
    sum += value;
  }
  return sum;
}

class SumsTrial : public Trial {
public:
  SumsTrial(std::span<const Point> points, const std::vector<std::uint8_t>& frame,
            const Measurement& measurement, std::uint64_t expected)
      : points_(points),
        dataset_(measurement.dataset),
        expected_(expected),
        column_(points, frame),
        frame_in_rows_(frame_in_rows(points.front().input, frame)),
        readings_(reading_variants()) {}

  std::vector<Work> works() override {
    std::vector<Work> works;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      works.push_back(
          {.name = points_[i].id,
           .seconds = [this, i] { return timer_.seconds(nullptr, [this, i] { column_.enqueue(i); }); },
           .verification = Verification{.poison = [this] { column_.poison(); },
                                        .run = [this, i] { column_.enqueue(i); },
                                        .check = [this, i] { check_sum(i); }}});
    }
    for (const ReadingVariant& reading : readings_) {
      works.push_back({.name = "reading, " + reading.name, .seconds = [this, &reading] {
                         return timer_.seconds(nullptr, [this, &reading] {
                           reading.enqueue(column_.frame().data(), column_.frame().size(),
                                           column_.answer().data());
                         });
                       }});
    }
    return works;
  }

  std::vector<std::vector<Json>> rows(const Measured& measured) override {
    const auto first_reading = measured.seconds.begin() + static_cast<std::ptrdiff_t>(points_.size());
    std::vector<double> medians;
    std::transform(first_reading, measured.seconds.end(), std::back_inserter(medians),
                   [](const std::vector<double>& seconds) { return summarize(seconds).median; });
    const auto fastest = std::ranges::min_element(medians);
    std::vector<std::vector<Json>> rows;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Point& point = points_[i];
      Json json =
          row_to_json({.stage = point.id,
                       .variant = point.variant,
                       .parameters = decode_parameters(point, column_.block_count(), column_.split_count()),
                       .uncompressed_bytes = column_.uncompressed_bytes(),
                       .compressed_bytes = column_.frame().size(),
                       .seconds = summarize(measured.seconds[i])},
                      dataset_);
      json["operation"] = "query";
      json["streaming_limit_gb_per_s"] = gigabytes_per_second(column_.uncompressed_bytes(), *fastest);
      json["streaming_limit_moved_gb_per_s"] = gigabytes_per_second(column_.frame().size(), *fastest);
      json["streaming_limit_variant"] = readings_[static_cast<std::size_t>(fastest - medians.begin())].name;
      json.update(frame_in_rows_);
      rows.push_back({json});
    }
    return rows;
  }

private:
  void check_sum(std::size_t point) const {
    const std::uint64_t sum = column_.sum(point);
    if (sum == expected_) return;
    throw MismatchError(point_to_json(points_[point]).dump() + ": the sum is " + std::to_string(sum) +
                        ", expected " + std::to_string(expected_));
  }

  std::span<const Point> points_;
  const Dataset& dataset_;
  std::uint64_t expected_;
  SumsOnDevice column_;
  Json frame_in_rows_;
  std::vector<ReadingVariant> readings_;
  EventTimer timer_;
};

class SumsKind : public Kind {
public:
  explicit SumsKind(const Measurement& measurement)
      : measurement_(measurement), expected_(sum_of_text(measurement.text)) {}

  std::vector<Preparation> prepare(std::span<const Point> group) override {
    Preparation all{.points = {}, .make = [this, group] {
                      const auto frame = make_frame(group.front().input, measurement_.text);
                      return std::make_unique<SumsTrial>(group, frame, measurement_, expected_);
                    }};
    for (std::size_t i = 0; i < group.size(); ++i) all.points.push_back(i);
    return {all};
  }

private:
  Measurement measurement_;
  std::uint64_t expected_;
};

}  // namespace

std::shared_ptr<Kind> sums_kind(const Measurement& measurement) {
  return std::make_shared<SumsKind>(measurement);
}

}  // namespace gsst::experiments
