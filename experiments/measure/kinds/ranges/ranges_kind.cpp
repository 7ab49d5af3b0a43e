// Byte ranges of a frame that the host has made, on the GPU and, where a point asks for it, through the
// library on the CPU, from host memory to host memory with a thread for each processor. Beside the keys of
// the result contract a row has `pattern`, `selectivity`, `range_bytes`, `range_count` and `wanted_bytes`;
// its throughput counts the bytes that the ranges ask for. A row of the GPU has `full_decode_gb_per_s`, of
// the whole frame.
#include <algorithm>
#include <chrono>
#include <thread>

#include "common/frame/frame.hpp"
#include "experiments/measure/kinds/kinds.hpp"
#include "experiments/measure/kinds/ranges/range_lists.hpp"
#include "experiments/measure/kinds/ranges/ranges_on_device.hpp"
#include "experiments/measure/shared/device_verification.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/event_timer.hpp"
#include "experiments/measure/shared/trial.hpp"
#include "library/decompress_plan.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::uint8_t>;

// More ranges take the CPU seconds to sort, once for each repetition.
constexpr std::uint64_t most_ranges_on_cpu = std::uint64_t{1} << 22;

unsigned processors() {
  return std::max(1u, std::thread::hardware_concurrency());
}

Bytes slices_of(const std::vector<gsst_range>& list, std::span<const std::uint8_t> text) {
  Bytes bytes(list.empty() ? 0 : list.size() * list.front().bytes);
  for (const gsst_range& range : list) {
    std::ranges::copy(text.subspan(range.offset, range.bytes),
                      bytes.begin() + static_cast<std::ptrdiff_t>(range.output_offset));
  }
  return bytes;
}

// The frame of a group of points, on the device and in host memory.
struct RangesFrame {
  RangesFrame(const Input& input, const Measurement& of)
      : measurement(of),
        bytes(make_frame(input, of.text)),
        header(format::parse_frame_header(bytes)),
        on_device(bytes, false),
        output(of.text.size()),
        memory(on_device),
        on_cpu(bytes, {.threads = processors(), .verify_checksums = false}) {}

  Json row(const std::string& stage, const Point& point, std::uint64_t count,
           std::span<const double> seconds) const {
    const WantedRanges& wanted = *point.ranges;
    const SecondsSummary summary = summarize(seconds);
    Json row =
        row_to_json({.stage = stage,
                     .variant = point.variant,
                     .parameters = {{"block_bytes", header.block_size}, {"splits", header.split_count}},
                     .uncompressed_bytes = measurement.text.size(),
                     .compressed_bytes = bytes.size(),
                     .seconds = summary},
                    measurement.dataset);
    const std::uint64_t wanted_bytes = count * wanted.range_bytes;
    row["throughput_gb_per_s"] = gigabytes_per_second(wanted_bytes, summary.median);
    row["pattern"] = range_pattern_name(wanted.pattern);
    row["selectivity"] = wanted.selectivity;
    row["range_bytes"] = wanted.range_bytes;
    row["range_count"] = count;
    row["wanted_bytes"] = wanted_bytes;
    return row;
  }

  const Measurement& measurement;
  Bytes bytes;
  format::FrameHeader header;
  LibraryFrame on_device;
  cuda::DeviceBuffer output;
  LibraryMemory memory;
  library::DecompressPlan on_cpu;
};

// A list on the GPU, and the decoding of the whole frame in turn with it.
class RangesTrial : public Trial {
public:
  RangesTrial(RangesFrame& frame, const Point& point, const std::vector<gsst_range>& ranges)
      : frame_(frame),
        point_(point),
        list_(ranges, slices_of(ranges, frame.measurement.text), frame.on_device) {}

  std::vector<Work> works() override {
    return {{.name = "ranges",
             .seconds = [this] { return timer_.seconds(nullptr, [this] { list_.enqueue(); }); },
             .verification = verification_of(
                 point_.variant + ", ranges", list_.output(), list_.expected(), [this] { list_.enqueue(); },
                 [this] { check_zero_statuses(list_.statuses()); })},
            {.name = "whole frame", .seconds = [this] {
               return timer_.seconds(
                   nullptr, [this] { enqueue_whole(frame_.on_device, frame_.output, frame_.memory); });
             }}};
  }

  std::vector<std::vector<Json>> rows(const Measured& measured) override {
    Json row = frame_.row(frame_.on_device.plan.ranges_stage()->description.id, point_, list_.count(),
                          measured.seconds[0]);
    row["full_decode_gb_per_s"] =
        gigabytes_per_second(frame_.measurement.text.size(), summarize(measured.seconds[1]).median);
    return {{row}};
  }

private:
  RangesFrame& frame_;
  const Point& point_;
  RangesOnDevice list_;
  EventTimer timer_;
};

class RangesOnCpuTrial : public Trial {
public:
  RangesOnCpuTrial(const RangesFrame& frame, const Point& point, const std::vector<gsst_range>& ranges)
      : frame_(frame),
        point_(point),
        ranges_(ranges),
        expected_(slices_of(ranges, frame.measurement.text)),
        output_(expected_.size()) {}

  bool on_gpu() const override { return false; }

  std::vector<Work> works() override {
    const auto run = [this] { frame_.on_cpu.execute_ranges(ranges_, output_); };
    const auto seconds = [run] {
      const auto start = std::chrono::steady_clock::now();
      run();
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    const auto check = [this] {
      if (output_ != expected_) throw MismatchError("the ranges of the CPU differ from the text");
    };
    const auto poison = [this] { std::ranges::fill(output_, std::uint8_t{0}); };
    return {{.name = "ranges on the CPU",
             .seconds = seconds,
             .verification = Verification{.poison = poison, .run = run, .check = check}}};
  }

  std::vector<std::vector<Json>> rows(const Measured& measured) override {
    Json row = frame_.row("library/cpu_ranges", point_, ranges_.size(), measured.seconds[0]);
    row["parameters"]["threads"] = processors();
    return {{row}};
  }

private:
  const RangesFrame& frame_;
  const Point& point_;
  std::vector<gsst_range> ranges_;
  Bytes expected_;
  Bytes output_;
};

class RangesKind : public Kind {
public:
  explicit RangesKind(const Measurement& measurement) : measurement_(measurement) {}

  std::vector<Preparation> prepare(std::span<const Point> group) override {
    const auto frame = std::make_shared<RangesFrame>(group.front().input, measurement_);
    std::vector<Preparation> preparations;
    for (std::size_t i = 0; i < group.size(); ++i) {
      const Point& point = group[i];
      const auto list = [this, &point] { return make_range_list(*point.ranges, measurement_.text.size()); };
      preparations.push_back({.points = {i}, .make = [frame, &point, list] {
                                return std::make_unique<RangesTrial>(*frame, point, list());
                              }});
      if (!point.on_cpu || list().size() > most_ranges_on_cpu) continue;
      preparations.push_back({.points = {i}, .make = [frame, &point, list] {
                                return std::make_unique<RangesOnCpuTrial>(*frame, point, list());
                              }});
    }
    return preparations;
  }

private:
  Measurement measurement_;
};

}  // namespace

PointMeasurer ranges_kind() {
  return {.kind = "ranges",
          .description = "Byte ranges of frames; every list is verified byte for byte before and after",
          .operations = {stage::Operation::ranges},
          .make = [](const Measurement& measurement) {
            return measure_trials(std::make_shared<RangesKind>(measurement), measurement);
          }};
}

}  // namespace gsst::experiments
