#include "experiments/measure_frames/frames_trial.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "common/cuda/device_buffer.hpp"
#include "common/frame/frame.hpp"
#include "experiments/measure/kinds/library_frame.hpp"
#include "experiments/measure/shared/device_verification.hpp"
#include "experiments/measure/shared/event_timer.hpp"
#include "experiments/measure_frames/small_frames.hpp"
#include "library/frames_plan.hpp"
#include "library/gpu_decompress_plan.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

// Blocks of the frame that has the whole text.
constexpr std::uint64_t large_frame_block_bytes = std::uint64_t{1} << 20;

std::vector<std::uint8_t> large_frame_of(const Point& point, std::span<const std::uint8_t> text) {
  Input input = point.input;
  input.block_bytes = large_frame_block_bytes;
  return make_frame(input, text);
}

std::span<const std::uint8_t> bytes_of_places(const std::vector<frames::FramePlace>& places) {
  return {reinterpret_cast<const std::uint8_t*>(places.data()), places.size() * sizeof(frames::FramePlace)};
}

class FramesTrial : public Trial {
public:
  FramesTrial(const Point& point, const Measurement& measurement)
      : point_(point),
        dataset_(measurement.dataset),
        small_(make_small_frames(point.input, measurement.text)),
        expected_(measurement.text),
        output_(measurement.text.size()),
        large_bytes_(large_frame_of(point, measurement.text)),
        large_(large_bytes_, true),
        large_memory_(large_),
        together_(stage::Executor::gpu, small_.bounds, true),
        input_(small_.bytes),
        places_(bytes_of_places(small_.places)),
        scratch_(together_.scratch_bytes()),
        results_(small_.bounds.frame_count * sizeof(frame::FrameResult)),
        status_(small_.bounds.all_blocks() * sizeof(std::uint32_t)),
        status_of_each_(small_.bounds.all_blocks() * sizeof(std::uint32_t)),
        scratch_of_each_(0) {
    std::uint64_t most_scratch = 8;
    each_.reserve(small_.places.size());
    for (std::size_t i = 0; i < small_.places.size(); ++i) {
      each_.emplace_back(stage::Executor::gpu, small_.frame(i), library::GpuDecompressOptions{});
      most_scratch = std::max(most_scratch, each_.back().scratch_bytes());
    }
    scratch_of_each_ = cuda::DeviceBuffer(most_scratch);
  }

  std::vector<Work> works() override {
    const auto work = [this](const char* name, std::function<void()> run, const cuda::DeviceBuffer& status) {
      return Work{.name = name,
                  .seconds = [this, run] { return timer_.seconds(nullptr, run); },
                  .verification = verification_of(std::string("frames, ") + name, output_, expected_, run,
                                                  [&status] { check_zero_statuses(status); })};
    };
    return {
        work(
            "one", [this] { enqueue_together(); }, status_),
        work(
            "each", [this] { enqueue_each(); }, status_of_each_),
        work(
            "large frame", [this] { enqueue_whole(large_, output_, large_memory_); }, large_memory_.status)};
  }

  std::vector<std::vector<Json>> rows(const Measured& measured) override {
    const std::uint64_t text_bytes = small_.bounds.all_output_bytes;
    const double large = gigabytes_per_second(text_bytes, summarize(measured.seconds[2]).median);
    const auto row_of = [&](const char* calls, std::size_t work, std::uint64_t count, std::uint64_t bytes) {
      Json row = row_to_json({.stage = point_.id,
                              .variant = point_.variant,
                              .parameters = decode_parameters(point_, count, small_.bounds.split_count),
                              .uncompressed_bytes = text_bytes,
                              .compressed_bytes = bytes,
                              .seconds = summarize(measured.seconds[work])},
                             dataset_);
      row["calls"] = calls;
      row["frames"] = count;
      row["large_frame_gb_per_s"] = large;
      return row;
    };
    const std::uint64_t count = small_.places.size();
    return {{row_of("one", 0, count, small_.compressed_bytes),
             row_of("each", 1, count, small_.compressed_bytes),
             row_of("large frame", 2, 1, large_bytes_.size())}};
  }

private:
  void enqueue_together() {
    together_.enqueue({.input = input_.data(),
                       .places = reinterpret_cast<const frames::FramePlace*>(places_.data()),
                       .output = output_.data(),
                       .scratch = scratch_.data(),
                       .status = reinterpret_cast<std::uint32_t*>(status_.data()),
                       .results = reinterpret_cast<frame::FrameResult*>(results_.data())},
                      nullptr);
  }

  void enqueue_each() {
    for (std::size_t i = 0; i < each_.size(); ++i) {
      each_[i].enqueue({.frame = input_.data() + small_.places[i].input_offset,
                        .output = output_.data() + small_.places[i].output_offset,
                        .scratch = scratch_of_each_.data(),
                        .status = reinterpret_cast<std::uint32_t*>(status_of_each_.data()) + i},
                       nullptr);
    }
  }

  const Point& point_;
  const Dataset& dataset_;
  SmallFrames small_;
  cuda::DeviceBuffer expected_;
  cuda::DeviceBuffer output_;
  std::vector<std::uint8_t> large_bytes_;
  LibraryFrame large_;
  LibraryMemory large_memory_;
  library::FramesPlan together_;
  cuda::DeviceBuffer input_;
  cuda::DeviceBuffer places_;
  cuda::DeviceBuffer scratch_;
  cuda::DeviceBuffer results_;
  cuda::DeviceBuffer status_;
  cuda::DeviceBuffer status_of_each_;
  cuda::DeviceBuffer scratch_of_each_;
  std::vector<library::GpuDecompressPlan> each_;
  EventTimer timer_;
};

class FramesKind : public Kind {
public:
  explicit FramesKind(const Measurement& measurement) : measurement_(measurement) {}

  std::vector<Preparation> prepare(std::span<const Point> group) override {
    std::vector<Preparation> preparations;
    for (std::size_t i = 0; i < group.size(); ++i) {
      const Point& point = group[i];
      preparations.push_back({.points = {i}, .make = [this, &point] {
                                return std::make_unique<FramesTrial>(point, measurement_);
                              }});
    }
    return preparations;
  }

private:
  Measurement measurement_;
};

}  // namespace

std::shared_ptr<Kind> frames_kind(const Measurement& measurement) {
  return std::make_shared<FramesKind>(measurement);
}

}  // namespace gsst::experiments
