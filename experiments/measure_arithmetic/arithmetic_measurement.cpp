#include "experiments/measure_arithmetic/arithmetic_measurement.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "common/pipeline/buffer.hpp"
#include "common/pipeline/queue.hpp"
#include "common/stage/kernels_on.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/interleaved_timing.hpp"
#include "experiments/measure/shared/statistics.hpp"
#include "experiments/measure_arithmetic/repeated_arithmetic.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t most_operations = 1'000'000;
// Of all words together, where there are as many words: some milliseconds.
constexpr std::uint64_t wanted_operations = std::uint64_t{1} << 32;

[[noreturn]] void refuse_arithmetic(const Point& point, const std::string& why) {
  throw InputError(point_to_json(point).dump() + ": " + why);
}

std::uint32_t operations_of(const Point& point) {
  const Json number = point.row.value("operations", Json());
  if (!number.is_number_unsigned() || number == 0U || number > most_operations) {
    refuse_arithmetic(point, "'operations' of 'row' must be 1 to " + std::to_string(most_operations));
  }
  return number;
}

ComputingLanes lanes_of(const Point& point) {
  const Json number = point.row.value("lanes", Json());
  if (number != 1U && number != 32U) refuse_arithmetic(point, "'lanes' of 'row' must be 1 or 32");
  return number == 1U ? ComputingLanes::one : ComputingLanes::all;
}

// A multiple of the warps where there are enough, so that all have as many.
std::uint64_t words_of(std::uint32_t operations, std::uint64_t most_words) {
  const std::uint64_t for_each_warp =
      std::max<std::uint64_t>(1, wanted_operations / operations / most_arithmetic_warps);
  if (most_words < most_arithmetic_warps) return most_words;
  return std::min(for_each_warp, most_words / most_arithmetic_warps) * most_arithmetic_warps;
}

// Many steps as one.
struct Step {
  std::uint32_t multiplier = 1;
  std::uint32_t increment = 0;
};

Step steps_together(std::uint32_t operations) {
  Step step;
  for (std::uint32_t i = 0; i < operations; ++i) {
    step = {.multiplier = step.multiplier * arithmetic_multiplier,
            .increment = step.increment * arithmetic_multiplier + arithmetic_increment};
  }
  return step;
}

// What is measured of one point. Input and output belong to all points.
class ComputedPoint {
public:
  ComputedPoint(const Point& point, const QueryTools& tools, std::span<const std::uint8_t> text,
                const pipeline::Buffer& input, const pipeline::Buffer& output)
      : point_(point),
        tools_(tools),
        text_(text),
        input_(input),
        output_(output),
        operations_(operations_of(point)),
        lanes_(lanes_of(point)),
        words_(words_of(operations_, text.size() / sizeof(std::uint32_t))),
        limit_(tools.limit({.input = input.data(),
                            .read_bytes = bytes(),
                            .output = output.data(),
                            .written_bytes = bytes()})) {}

  double seconds() const {
    return tools_.seconds([this](stage::Stream stream) {
      stage::KernelsOn<RepeatedArithmetic>::get(tools_.executor)
          .enqueue(lanes_, reinterpret_cast<const std::uint32_t*>(input_.data()), words_, operations_,
                   reinterpret_cast<std::uint32_t*>(output_.data()), stream);
    });
  }

  // Throws MismatchError.
  void verify() const {
    pipeline::Queue queue(tools_.executor);
    std::vector<std::uint8_t> computed(bytes(), 0xcd);
    queue.copy(output_.data(), computed);
    queue.wait();
    static_cast<void>(seconds());
    queue.copy(computed.data(), output_.bytes().first(computed.size()));
    queue.wait();
    const Step step = steps_together(operations_);
    for (std::uint64_t i = 0; i < words_; ++i) {
      std::uint32_t before = 0;
      std::uint32_t after = 0;
      std::memcpy(&before, text_.data() + i * sizeof before, sizeof before);
      std::memcpy(&after, computed.data() + i * sizeof after, sizeof after);
      if (after != before * step.multiplier + step.increment) {
        throw MismatchError(point_to_json(point_).dump() + ": word " + std::to_string(i) +
                            " differs from the host's");
      }
    }
  }

  Json row(std::span<const double> seconds, const Dataset& dataset) const {
    Json row = row_to_json({.stage = point_.id,
                            .variant = point_.variant,
                            .parameters = {{"block_bytes", point_.input.block_bytes}},
                            .uncompressed_bytes = bytes(),
                            .compressed_bytes = bytes(),
                            .seconds = summarize(seconds)},
                           dataset);
    row["streaming_limit_gb_per_s"] = gigabytes_per_second(bytes(), limit_.seconds);
    row["streaming_limit_variant"] = limit_.variant;
    row["words"] = words_;
    return row;
  }

private:
  std::uint64_t bytes() const { return words_ * sizeof(std::uint32_t); }

  const Point& point_;
  const QueryTools& tools_;
  std::span<const std::uint8_t> text_;
  const pipeline::Buffer& input_;
  const pipeline::Buffer& output_;
  std::uint32_t operations_;
  ComputingLanes lanes_;
  std::uint64_t words_;
  StreamingTime limit_;
};

}  // namespace

ArithmeticMeasurement::ArithmeticMeasurement(std::span<const std::uint8_t> text, Dataset dataset,
                                             unsigned repetitions, const QueryTools& tools)
    : text_(text), dataset_(std::move(dataset)), repetitions_(repetitions), tools_(tools) {
  if (text.size() < sizeof(std::uint32_t)) throw InputError("the text has no word of 4 bytes");
}

std::vector<Json> ArithmeticMeasurement::measure(std::span<const Point> points) const {
  const pipeline::Buffer input = pipeline::Buffer::on_device(tools_.executor, text_.size());
  const pipeline::Buffer output = pipeline::Buffer::on_device(tools_.executor, text_.size());
  pipeline::Queue queue(tools_.executor);
  queue.copy(input.data(), text_);
  queue.wait();
  std::vector<std::unique_ptr<ComputedPoint>> computed;
  computed.reserve(points.size());
  for (const Point& point : points) {
    computed.push_back(std::make_unique<ComputedPoint>(point, tools_, text_, input, output));
  }

  const auto verify_all = [&] {
    for (const auto& point : computed) point->verify();
  };
  verify_all();
  std::vector<TimedWork> works;
  works.reserve(computed.size());
  for (const auto& point : computed) {
    works.push_back({.name = "arithmetic", .seconds = [&point = *point] { return point.seconds(); }});
  }
  std::vector<std::vector<double>> seconds;
  const Json clocks = tools_.clocks_during([&] { seconds = time_interleaved(works, repetitions_); });
  verify_all();

  std::vector<Json> rows;
  for (std::size_t i = 0; i < computed.size(); ++i) {
    rows.push_back(computed[i]->row(seconds[i], dataset_));
    rows.back()["clocks"] = clocks;
    rows.back().update(points[i].row);
  }
  return rows;
}

}  // namespace gsst::experiments
