#include "experiments/measure_checksums/checksums_measurement.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <string>
#include <utility>

#include "common/cuda/error.hpp"
#include "common/format/block.hpp"
#include "common/format/formats.hpp"
#include "experiments/measure/error.hpp"
#include "experiments/measure_shared/device_check.hpp"
#include "experiments/measure_shared/event_timer.hpp"
#include "experiments/measure_shared/interleaved_timing.hpp"
#include "library/decompress_plan.hpp"
#include "library/gpu_compress_plan.hpp"
#include "library/gpu_decompress_plan.hpp"
#include "reference_cpu/memory_codec.hpp"

namespace gsst::experiments {

/// The frame of a text, in host memory.
struct ChecksumsMeasurement::Frame {
  const Point& point;
  std::uint64_t block_bytes;
  const char* written_by;
  std::span<const std::uint8_t> text;
  std::vector<std::uint8_t> bytes;
};

namespace {

using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::uint8_t>;

/// Of the text, what one thread decompresses.
constexpr std::size_t cpu_text_bytes = std::size_t{64} << 20;

constexpr std::array<bool, 2> compared_and_skipped = {true, false};

const char* name_of(bool compared) {
  return compared ? "compared" : "skipped";
}

Bytes write_on_cpu(std::span<const std::uint8_t> text, const Point& point, std::uint64_t block_bytes) {
  return reference::compress(text, {.format = point.stage->description.format,
                                    .block_bytes = block_bytes,
                                    .split_count = point.splits,
                                    .code_bits = point.code_bits,
                                    .codes_per_lane = point.codes_per_lane,
                                    .level = point.level,
                                    .parse = point.parse});
}

Bytes write_on_gpu(const cuda::DeviceBuffer& text, const Point& point, std::uint64_t block_bytes) {
  const library::GpuCompressPlan plan(stage::Executor::gpu, text.size(),
                                      {.block_bytes = block_bytes, .split_count = point.splits});
  cuda::DeviceBuffer output(plan.output_bytes());
  cuda::DeviceBuffer scratch(plan.scratch_bytes());
  cuda::DeviceBuffer frame_bytes(sizeof(std::uint64_t));
  plan.enqueue({.input = text.data(),
                .output = output.data(),
                .scratch = scratch.data(),
                .frame_bytes = reinterpret_cast<std::uint64_t*>(frame_bytes.data())},
               nullptr);
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, frame_bytes.to_host().data(), sizeof(bytes));
  Bytes frame(bytes);
  GSST_CUDA_CHECK(cudaMemcpy(frame.data(), output.data(), bytes, cudaMemcpyDeviceToHost));
  return frame;
}

// A frame on the device with a plan to decompress it.
struct FrameOnDevice {
  FrameOnDevice(std::span<const std::uint8_t> frame, bool compares)
      : plan(stage::Executor::gpu, frame, {.verify_checksums = compares}),
        bytes(frame),
        scratch(plan.scratch_bytes()),
        status(plan.summary().block_count * sizeof(std::uint32_t)) {}

  void enqueue(cuda::DeviceBuffer& output) {
    plan.enqueue({.frame = bytes.data(),
                  .output = output.data(),
                  .scratch = scratch.data(),
                  .status = reinterpret_cast<std::uint32_t*>(status.data())},
                 nullptr);
  }

  library::GpuDecompressPlan plan;
  cuda::DeviceBuffer bytes;
  cuda::DeviceBuffer scratch;
  cuda::DeviceBuffer status;
};

void verify_on_gpu(FrameOnDevice& frame, const cuda::DeviceBuffer& expected, cuda::DeviceBuffer& output) {
  poison_on_device(output.data(), expected.data(), expected.size());
  frame.enqueue(output);
  const std::uint64_t differences = count_differences(output.data(), expected.data(), expected.size());
  if (differences != 0) throw MismatchError(std::to_string(differences) + " bytes differ from the text");
  if (std::ranges::any_of(frame.status.to_host(), [](std::uint8_t byte) { return byte != 0; })) {
    throw MismatchError("the status of a block is not 0");
  }
}

void verify_on_cpu(const library::DecompressPlan& plan, std::span<const std::uint8_t> text, Bytes& output) {
  std::ranges::transform(text, output.begin(),
                         [](std::uint8_t byte) { return static_cast<std::uint8_t>(~byte); });
  plan.execute(output);
  if (!std::ranges::equal(output, text))
    throw MismatchError("bytes that the CPU decoded differ from the text");
}

double seconds_of(const library::DecompressPlan& plan, Bytes& output) {
  const auto start = std::chrono::steady_clock::now();
  plan.execute(output);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

ChecksumsMeasurement::ChecksumsMeasurement(std::span<const std::uint8_t> text, Dataset dataset,
                                           unsigned repetitions, const DeviceMonitor& monitor)
    : text_(text),
      dataset_(std::move(dataset)),
      repetitions_(repetitions),
      monitor_(monitor),
      expected_(text),
      output_(text.size()) {}

std::vector<Json> ChecksumsMeasurement::measure(const Point& point) {
  const std::uint64_t block_bytes = format::part_size(text_.size(), point.blocks);
  std::vector<Json> rows =
      measure_on_gpu({point, block_bytes, "cpu", text_, write_on_cpu(text_, point, block_bytes)});
  const auto add = [&](const std::vector<Json>& more) { rows.insert(rows.end(), more.begin(), more.end()); };
  if (point.stage->description.format == format::BlockFormat::splits) {
    add(measure_on_gpu({point, block_bytes, "gpu", text_, write_on_gpu(expected_, point, block_bytes)}));
  }
  const auto start = text_.first(std::min(text_.size(), cpu_text_bytes));
  add(measure_on_cpu({point, block_bytes, "cpu", start, write_on_cpu(start, point, block_bytes)}));
  return rows;
}

std::vector<Json> ChecksumsMeasurement::measure_on_gpu(const Frame& frame) {
  std::vector<FrameOnDevice> on_device;
  on_device.reserve(compared_and_skipped.size());
  for (const bool compares : compared_and_skipped) on_device.emplace_back(frame.bytes, compares);
  EventTimer timer;
  std::vector<TimedWork> works;
  for (std::size_t i = 0; i < on_device.size(); ++i) {
    works.push_back({.name = name_of(compared_and_skipped[i]), .seconds = [&, i] {
                       return timer.seconds(nullptr, [&] { on_device[i].enqueue(output_); });
                     }});
  }
  const auto verify_all = [&] {
    for (FrameOnDevice& each : on_device) verify_on_gpu(each, expected_, output_);
  };
  verify_all();
  std::vector<std::vector<double>> seconds;
  const Json clocks =
      summarize_samples(monitor_.sample_during([&] { seconds = time_interleaved(works, repetitions_); }));
  verify_all();
  return make_rows(frame, "gpu", seconds, clocks);
}

std::vector<Json> ChecksumsMeasurement::measure_on_cpu(const Frame& frame) const {
  std::vector<library::DecompressPlan> plans;
  plans.reserve(compared_and_skipped.size());
  for (const bool compares : compared_and_skipped) {
    plans.emplace_back(frame.bytes, library::DecompressOptions{.threads = 1, .verify_checksums = compares});
  }
  Bytes output(frame.text.size());
  std::vector<TimedWork> works;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    works.push_back({.name = name_of(compared_and_skipped[i]),
                     .seconds = [&, i] { return seconds_of(plans[i], output); }});
  }
  const auto verify_all = [&] {
    for (const library::DecompressPlan& plan : plans) verify_on_cpu(plan, frame.text, output);
  };
  verify_all();
  const std::vector<std::vector<double>> seconds = time_interleaved(works, repetitions_);
  verify_all();
  return make_rows(frame, "cpu", seconds, nullptr);
}

std::vector<Json> ChecksumsMeasurement::make_rows(const Frame& frame, const char* executor,
                                                  const std::vector<std::vector<double>>& seconds,
                                                  const Json& clocks) const {
  std::vector<Json> rows;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    Json row =
        row_to_json({.stage = frame.point.stage->description.id,
                     .variant = frame.point.variant,
                     .parameters = {{"block_bytes", frame.block_bytes}, {"splits", frame.point.splits}},
                     .uncompressed_bytes = frame.text.size(),
                     .compressed_bytes = frame.bytes.size(),
                     .seconds = summarize(seconds[i])},
                    dataset_);
    row["format"] = format::block_format_name(frame.point.stage->description.format);
    row["written_by"] = frame.written_by;
    row["executor"] = executor;
    row["checksums"] = name_of(compared_and_skipped[i]);
    row["clocks"] = clocks;
    for (const auto& [key, value] : frame.point.row.items()) row[key] = value;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace gsst::experiments
