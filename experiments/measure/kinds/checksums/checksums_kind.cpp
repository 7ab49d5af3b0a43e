// How fast the library decompresses frames with and without comparing their checksums: the stage's parameters
// do not count, the library takes its own. For format splits there is a second frame, which the GPU writes:
// the CPU's checksums are each of a whole block, the GPU's of pieces. Each frame is decompressed on the GPU,
// and the start of the CPU's on one thread. Beside the keys of the result contract a row has `format`,
// `written_by` and `executor` (cpu or gpu), and `checksums` (compared or skipped).
#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>

#include "common/cuda/error.hpp"
#include "common/format/formats.hpp"
#include "common/frame/frame.hpp"
#include "experiments/measure/kinds/kinds.hpp"
#include "experiments/measure/kinds/library_frame.hpp"
#include "experiments/measure/shared/device_verification.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/event_timer.hpp"
#include "experiments/measure/shared/trial.hpp"
#include "library/decompress_plan.hpp"
#include "library/gpu_compress_plan.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::uint8_t>;

// Of the text, what one thread decompresses.
constexpr std::size_t cpu_text_bytes = std::size_t{64} << 20;

constexpr std::array<bool, 2> compared_and_skipped = {true, false};

const char* name_of(bool compared) {
  return compared ? "compared" : "skipped";
}

// The frame of a text, in host memory.
struct WrittenFrame {
  const Point& point;
  const char* written_by;
  std::span<const std::uint8_t> text;
  Bytes bytes;
};

WrittenFrame write_on_cpu(const Point& point, std::span<const std::uint8_t> text, std::uint64_t whole_bytes) {
  return {point, "cpu", text,
          reference::encode_file(reference::codec_of(point.input.format), text,
                                 encode_settings(point.input, whole_bytes))};
}

WrittenFrame write_on_gpu(const Point& point, std::span<const std::uint8_t> text,
                          const cuda::DeviceBuffer& input) {
  const library::GpuCompressPlan plan(
      stage::Executor::gpu, text.size(),
      {.block_bytes = encode_settings(point.input, text.size()).block_bytes,
       .split_count = static_cast<std::uint32_t>(point.input.options.at("splits"))});
  cuda::DeviceBuffer output(plan.output_bytes());
  cuda::DeviceBuffer scratch(plan.scratch_bytes());
  cuda::DeviceBuffer frame_bytes(sizeof(std::uint64_t));
  plan.enqueue({.input = input.data(),
                .output = output.data(),
                .scratch = scratch.data(),
                .frame_bytes = reinterpret_cast<std::uint64_t*>(frame_bytes.data())},
               nullptr);
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, frame_bytes.to_host().data(), sizeof(bytes));
  Bytes frame(bytes);
  GSST_CUDA_CHECK(cudaMemcpy(frame.data(), output.data(), bytes, cudaMemcpyDeviceToHost));
  return {point, "gpu", text, std::move(frame)};
}

// One frame, with its checksums compared and not.
class ChecksumsTrial : public Trial {
public:
  ChecksumsTrial(WrittenFrame frame, const Dataset& dataset) : frame_(std::move(frame)), dataset_(dataset) {}

  std::vector<std::vector<Json>> rows(const Measured& measured) override {
    const format::FrameHeader header = format::parse_frame_header(frame_.bytes);
    std::vector<Json> rows;
    for (std::size_t i = 0; i < compared_and_skipped.size(); ++i) {
      Json row =
          row_to_json({.stage = frame_.point.id,
                       .variant = frame_.point.variant,
                       .parameters = {{"block_bytes", header.block_size}, {"splits", header.split_count}},
                       .uncompressed_bytes = frame_.text.size(),
                       .compressed_bytes = frame_.bytes.size(),
                       .seconds = summarize(measured.seconds[i])},
                      dataset_);
      row["format"] = format::block_format_name(frame_.point.input.format);
      row["written_by"] = frame_.written_by;
      row["executor"] = on_gpu() ? "gpu" : "cpu";
      row["checksums"] = name_of(compared_and_skipped[i]);
      rows.push_back(std::move(row));
    }
    return {rows};
  }

protected:
  const WrittenFrame& frame() const { return frame_; }

private:
  WrittenFrame frame_;
  const Dataset& dataset_;
};

class ChecksumsOnGpu : public ChecksumsTrial {
public:
  ChecksumsOnGpu(WrittenFrame frame, const Dataset& dataset, const cuda::DeviceBuffer& expected,
                 cuda::DeviceBuffer& output)
      : ChecksumsTrial(std::move(frame), dataset), expected_(expected), output_(output) {
    on_device_.reserve(compared_and_skipped.size());
    memory_.reserve(compared_and_skipped.size());
    for (const bool compares : compared_and_skipped) {
      on_device_.emplace_back(ChecksumsTrial::frame().bytes, compares);
      memory_.emplace_back(on_device_.back());
    }
  }

  std::vector<Work> works() override {
    std::vector<Work> works;
    for (std::size_t i = 0; i < on_device_.size(); ++i) {
      const auto run = [this, i] { enqueue_whole(on_device_[i], output_, memory_[i]); };
      const char* const name = name_of(compared_and_skipped[i]);
      works.push_back(
          {.name = name,
           .seconds = [this, run] { return timer_.seconds(nullptr, run); },
           .verification = verification_of(std::string("checksums ") + name, output_, expected_, run,
                                           [this, i] { check_zero_statuses(memory_[i].status); })});
    }
    return works;
  }

private:
  const cuda::DeviceBuffer& expected_;
  cuda::DeviceBuffer& output_;
  std::vector<LibraryFrame> on_device_;
  std::vector<LibraryMemory> memory_;
  EventTimer timer_;
};

class ChecksumsOnCpu : public ChecksumsTrial {
public:
  ChecksumsOnCpu(WrittenFrame written, const Dataset& dataset)
      : ChecksumsTrial(std::move(written), dataset), output_(frame().text.size()) {
    plans_.reserve(compared_and_skipped.size());
    for (const bool compares : compared_and_skipped) {
      plans_.emplace_back(frame().bytes,
                          library::DecompressOptions{.threads = 1, .verify_checksums = compares});
    }
  }

  bool on_gpu() const override { return false; }

  std::vector<Work> works() override {
    const auto poison = [this] {
      std::ranges::transform(frame().text, output_.begin(),
                             [](std::uint8_t byte) { return static_cast<std::uint8_t>(~byte); });
    };
    const auto check = [this] {
      if (!std::ranges::equal(output_, frame().text)) {
        throw MismatchError("bytes that the CPU decoded differ from the text");
      }
    };
    std::vector<Work> works;
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      const auto run = [this, i] { plans_[i].execute(output_); };
      const auto seconds = [run] {
        const auto start = std::chrono::steady_clock::now();
        run();
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      };
      works.push_back({.name = name_of(compared_and_skipped[i]),
                       .seconds = seconds,
                       .verification = Verification{.poison = poison, .run = run, .check = check}});
    }
    return works;
  }

private:
  std::vector<library::DecompressPlan> plans_;
  Bytes output_;
};

// The text and one output stay on the device.
class ChecksumsKind : public Kind {
public:
  explicit ChecksumsKind(const Measurement& measurement)
      : measurement_(measurement), expected_(measurement.text), output_(measurement.text.size()) {}

  std::vector<Preparation> prepare(std::span<const Point> group) override {
    std::vector<Preparation> preparations;
    const std::span<const std::uint8_t> text = measurement_.text;
    for (std::size_t i = 0; i < group.size(); ++i) {
      const Point& point = group[i];
      const auto add = [&](std::function<std::unique_ptr<Trial>()> make) {
        preparations.push_back({.points = {i}, .make = std::move(make)});
      };
      add([this, &point, text] { return on_gpu(write_on_cpu(point, text, text.size())); });
      if (point.input.format == format::BlockFormat::splits) {
        add([this, &point, text] { return on_gpu(write_on_gpu(point, text, expected_)); });
      }
      add([this, &point, text] {
        const auto start = text.first(std::min(text.size(), cpu_text_bytes));
        return std::make_unique<ChecksumsOnCpu>(write_on_cpu(point, start, text.size()),
                                                measurement_.dataset);
      });
    }
    return preparations;
  }

private:
  std::unique_ptr<Trial> on_gpu(WrittenFrame frame) {
    return std::make_unique<ChecksumsOnGpu>(std::move(frame), measurement_.dataset, expected_, output_);
  }

  Measurement measurement_;
  cuda::DeviceBuffer expected_;
  cuda::DeviceBuffer output_;
};

}  // namespace

PointMeasurer checksums_kind() {
  return {.kind = "checksums",
          .description =
              "The library with checksums compared and not, on the GPU and on one thread of the CPU; "
              "everything is verified byte for byte before and after",
          .operations = {stage::Operation::decode},
          .make = [](const Measurement& measurement) {
            return measure_trials(std::make_shared<ChecksumsKind>(measurement), measurement);
          }};
}

}  // namespace gsst::experiments
