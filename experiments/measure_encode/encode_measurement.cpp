#include "experiments/measure_encode/encode_measurement.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>

#include "common/cuda/error.hpp"
#include "experiments/measure/error.hpp"
#include "experiments/measure_encode/phase_clock.hpp"
#include "experiments/measure_shared/device_sample.hpp"
#include "experiments/measure_shared/interleaved_timing.hpp"
#include "experiments/measure_shared/streaming_limit.hpp"
#include "reference_cpu/memory_codec.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr unsigned limit_repetitions = 5;

// One point's encoder with its memory on the device.
class DeviceEncoding {
public:
  DeviceEncoding(const EncodePoint& point, const cuda::DeviceBuffer& input)
      : plan_(plan_of(point, input)),
        first_phase_(trains_on_executor(*plan_) ? 1 : 0),
        output_(bytes_of(*plan_, stage::Role::output)),
        state_(bytes_of(*plan_, stage::Role::state)),
        status_(bytes_of(*plan_, stage::Role::status)),
        frame_bytes_(bytes_of(*plan_, stage::Role::result)),
        given_{stage::to_read(input.data(), input.size()), given(output_), given(state_), given(status_),
               given(frame_bytes_)},
        clock_(phases().size()),
        whole_clock_(1) {
    check_given(plan_->parts(), given_);
  }

  // Trains and loads the tables.
  void prepare() {
    plan_->prepare(given_, nullptr);
    for (std::size_t phase = 0; phase < first_phase_; ++phase) plan_->enqueue(given_, nullptr, phase);
  }

  // Encodes and waits.
  PhaseTimes encode() {
    return clock_.time(nullptr,
                       [this](std::size_t phase) { plan_->enqueue(given_, nullptr, first_phase_ + phase); });
  }

  // Trains, loads, encodes and waits. All of it is one phase.
  PhaseTimes encode_from_scratch() {
    return whole_clock_.time(nullptr, [this](std::size_t) {
      plan_->prepare(given_, nullptr);
      enqueue_all(*plan_, given_, nullptr);
    });
  }

  // Forgets the frame before, so that one that is not written again is found.
  void poison() {
    output_.fill(0xb7);
    frame_bytes_.fill(0xff);
  }

  std::vector<std::uint8_t> frame() const {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, frame_bytes_.to_host().data(), sizeof bytes);
    if (bytes > output_.size()) throw MismatchError("no frame was written");
    std::vector<std::uint8_t> frame(bytes);
    GSST_CUDA_CHECK(cudaMemcpy(frame.data(), output_.data(), bytes, cudaMemcpyDeviceToHost));
    return frame;
  }

  std::uint64_t device_bytes() const { return output_.size() + state_.size(); }
  // Those that encode() times.
  std::span<const stage::Phase> phases() const { return plan_->phases().subspan(first_phase_); }
  std::uint8_t* output() { return output_.data(); }

private:
  static std::unique_ptr<stage::Plan> plan_of(const EncodePoint& point, const cuda::DeviceBuffer& input) {
    stage::EncodeSettings settings = point.settings;
    settings.input_bytes = input.size();
    return point.stage->encode.at(stage::Executor::gpu)->make({.settings = settings});
  }

  static stage::Given given(cuda::DeviceBuffer& buffer) {
    return {.data = buffer.data(), .bytes = buffer.size()};
  }

  std::unique_ptr<stage::Plan> plan_;
  // The first one that does not train.
  std::size_t first_phase_;
  cuda::DeviceBuffer output_;
  cuda::DeviceBuffer state_;
  cuda::DeviceBuffer status_;
  cuda::DeviceBuffer frame_bytes_;
  std::array<stage::Given, 5> given_;
  PhaseClock clock_;
  PhaseClock whole_clock_;
};

// The frame's bytes, after the oracle has given back the text from it.
std::uint64_t verify(const EncodePoint& point, DeviceEncoding& encoding, std::span<const std::uint8_t> text) {
  encoding.poison();
  encoding.encode_from_scratch();
  const std::vector<std::uint8_t> frame = encoding.frame();
  if (!std::ranges::equal(reference::decompress_frame(frame), text)) {
    throw MismatchError(point.stage->description.id + " " + parameters_of(point).dump() +
                        ": the oracle decodes the frame to another text");
  }
  return frame.size();
}

// The median of each phase over the repetitions, by name.
Json phase_seconds(std::span<const stage::Phase> phases, const std::vector<PhaseTimes>& repetitions) {
  Json json = Json::object();
  for (std::size_t phase = 0; phase < phases.size(); ++phase) {
    std::vector<double> seconds;
    seconds.reserve(repetitions.size());
    for (const PhaseTimes& repetition : repetitions) seconds.push_back(repetition.phases[phase]);
    json[std::string(phases[phase].name)] = summarize(seconds).median;
  }
  return json;
}

// Adds the medians of both clocks over the same repetitions.
void add_both_clocks(Json& row, const std::vector<PhaseTimes>& repetitions) {
  std::vector<double> device;
  std::vector<double> host;
  for (const PhaseTimes& repetition : repetitions) {
    device.push_back(repetition.device());
    host.push_back(repetition.host);
  }
  row["device_seconds"] = summarize(device).median;
  row["host_seconds"] = summarize(host).median;
}

}  // namespace

EncodeMeasurement::EncodeMeasurement(std::span<const std::uint8_t> text, Dataset dataset,
                                     unsigned repetitions, const DeviceMonitor& monitor)
    : text_(text), dataset_(std::move(dataset)), repetitions_(repetitions), monitor_(monitor), input_(text) {}

std::vector<Json> EncodeMeasurement::measure(const EncodePoint& point) {
  DeviceEncoding encoding(point, input_);
  const std::uint64_t frame_bytes = verify(point, encoding, text_);
  const StreamingLimit limit = measure_streaming_limit({.input = input_.data(),
                                                        .read_bytes = input_.size(),
                                                        .output = encoding.output(),
                                                        .written_bytes = frame_bytes},
                                                       limit_repetitions);
  encoding.prepare();
  std::vector<PhaseTimes> encodings;
  std::vector<PhaseTimes> encodings_from_scratch;
  const std::vector<TimedWork> works = {{.name = "encoding",
                                         .seconds =
                                             [&] {
                                               encodings.push_back(encoding.encode());
                                               return encodings.back().device();
                                             }},
                                        {.name = "end to end", .seconds = [&] {
                                           encodings_from_scratch.push_back(encoding.encode_from_scratch());
                                           return encodings_from_scratch.back().host;
                                         }}};
  std::vector<std::vector<double>> seconds;
  const Json clocks =
      summarize_samples(monitor_.sample_during([&] { seconds = time_interleaved(works, repetitions_); }));
  if (verify(point, encoding, text_) != frame_bytes) {
    throw MismatchError(point.stage->description.id + ": the frame has another size after the timing");
  }

  std::vector<Json> rows;
  for (const bool end_to_end : {false, true}) {
    Json row = row_to_json({.stage = point.stage->description.id,
                            .variant = point.variant,
                            .parameters = parameters_of(point),
                            .uncompressed_bytes = text_.size(),
                            .compressed_bytes = frame_bytes,
                            .seconds = summarize(seconds[end_to_end ? 1 : 0])},
                           dataset_);
    row["operation"] = "encode";
    row["end_to_end"] = end_to_end;
    row["streaming_limit_gb_per_s"] = gigabytes_per_second(text_.size(), limit.variants.front().seconds);
    row["device_bytes_beyond_input"] = encoding.device_bytes();
    if (!end_to_end) row["phase_seconds"] = phase_seconds(encoding.phases(), encodings);
    add_both_clocks(row, end_to_end ? encodings_from_scratch : encodings);
    row["clocks"] = clocks;
    row.update(point.row);
    rows.push_back(row);
  }
  return rows;
}

}  // namespace gsst::experiments
