// Encoder stages. Each point has two rows, both with input, output and scratch memory on the device and
// nothing allocated in the timed part. `end_to_end` false: all phases with the tables loaded, by the device's
// clock, with the time of each phase in `phase_seconds`. `end_to_end` true: training, loading the tables and
// all phases, by the host's clock, which runs from before the first launch until all is done. Each has the
// median of both clocks over these repetitions, `device_seconds` and `host_seconds`.
#include "common/cuda/device_buffer.hpp"
#include "experiments/measure/kinds/encode/encode_on_device.hpp"
#include "experiments/measure/kinds/kinds.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/trial.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

std::string name_of(const Point& point) {
  return point.id + " " + encode_parameters(point).dump();
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

class EncodeTrial : public Trial {
public:
  EncodeTrial(const Point& point, const Measurement& measurement, const cuda::DeviceBuffer& input)
      : point_(point), measurement_(measurement), input_(input), encoding_(point, input) {}

  std::vector<Work> works() override {
    return {{.name = "encoding",
             .seconds =
                 [this] {
                   encodings_.push_back(encoding_.encode());
                   return encodings_.back().device();
                 }},
            {.name = "end to end",
             .seconds =
                 [this] {
                   encodings_from_scratch_.push_back(encoding_.encode_from_scratch());
                   return encodings_from_scratch_.back().host;
                 },
             .verification = Verification{.poison = [this] { encoding_.poison(); },
                                          .run = [this] { encoding_.encode_from_scratch(); },
                                          .check = [this] { check_frame(); }}}};
  }

  std::optional<StreamingBuffers> streamed() override {
    return StreamingBuffers{.input = input_.data(),
                            .read_bytes = input_.size(),
                            .output = encoding_.output(),
                            .written_bytes = *frame_bytes_};
  }

  // As before every repetition from scratch, caches and threads have just trained.
  void make_ready() override { encoding_.train(); }

  std::vector<std::vector<Json>> rows(const Measured& measured) override {
    std::vector<Json> rows;
    for (const bool end_to_end : {false, true}) {
      Json row = row_to_json({.stage = point_.id,
                              .variant = point_.variant,
                              .parameters = encode_parameters(point_),
                              .uncompressed_bytes = input_.size(),
                              .compressed_bytes = *frame_bytes_,
                              .seconds = summarize(measured.seconds[end_to_end ? 1 : 0])},
                             measurement_.dataset);
      row["operation"] = "encode";
      row["end_to_end"] = end_to_end;
      row["device_bytes_beyond_input"] = encoding_.device_bytes();
      if (!end_to_end) row["phase_seconds"] = phase_seconds(encoding_.phases(), encodings_);
      add_both_clocks(row, end_to_end ? encodings_from_scratch_ : encodings_);
      rows.push_back(row);
    }
    return {rows};
  }

private:
  void check_frame() {
    const std::uint64_t bytes = encoding_.verified_frame_bytes(name_of(point_), measurement_.text);
    if (bytes != frame_bytes_.value_or(bytes)) {
      throw MismatchError(name_of(point_) + ": the frame has another size after the timing");
    }
    frame_bytes_ = bytes;
  }

  const Point& point_;
  const Measurement& measurement_;
  const cuda::DeviceBuffer& input_;
  EncodeOnDevice encoding_;
  std::optional<std::uint64_t> frame_bytes_;
  std::vector<PhaseTimes> encodings_;
  std::vector<PhaseTimes> encodings_from_scratch_;
};

// The text stays on the device.
class EncodeKind : public Kind {
public:
  explicit EncodeKind(const Measurement& measurement) : measurement_(measurement), input_(measurement.text) {}

  std::vector<Preparation> prepare(std::span<const Point> group) override {
    std::vector<Preparation> preparations;
    for (std::size_t i = 0; i < group.size(); ++i) {
      preparations.push_back({.points = {i}, .make = [this, &point = group[i]] {
                                return std::make_unique<EncodeTrial>(point, measurement_, input_);
                              }});
    }
    return preparations;
  }

private:
  Measurement measurement_;
  cuda::DeviceBuffer input_;
};

}  // namespace

PointMeasurer encode_kind() {
  return {.kind = "encode",
          .description = "Encoder stages; the oracle decodes every frame before and after the timing",
          .operations = {stage::Operation::encode},
          .make = [](const Measurement& measurement) {
            return measure_trials(std::make_shared<EncodeKind>(measurement), measurement);
          }};
}

}  // namespace gsst::experiments
