#include "experiments/measure/kinds/encode/encode_on_device.hpp"

#include "experiments/measure/shared/encoded_frame.hpp"

namespace gsst::experiments {
namespace {

stage::EncodeSettings checked_settings(const Point& point, std::uint64_t input_bytes) {
  stage::EncodeSettings settings = encode_settings(point, input_bytes);
  check_settings(point.stage->description, settings);
  return settings;
}

}  // namespace

EncodeOnDevice::EncodeOnDevice(const Point& point, const cuda::DeviceBuffer& input)
    : encoder_(*point.stage->encoders.at(stage::Executor::gpu)),
      settings_(checked_settings(point, input.size())),
      space_(encoder_.space(settings_)),
      output_(space_.output_bytes),
      scratch_(space_.scratch_bytes),
      status_(std::size_t{block_count(settings_)} * sizeof(std::uint32_t)),
      frame_bytes_(sizeof(std::uint64_t)),
      request_{.settings = settings_,
               .input = input.data(),
               .output = output_.data(),
               .scratch = scratch_.data(),
               .status = reinterpret_cast<std::uint32_t*>(status_.data()),
               .frame_bytes = reinterpret_cast<std::uint64_t*>(frame_bytes_.data()),
               .stream = nullptr},
      clock_(encoder_.phases.size()),
      whole_clock_(1) {}

PhaseTimes EncodeOnDevice::encode() {
  return clock_.time(nullptr, [this](std::size_t phase) { encoder_.phases[phase].enqueue(request_); });
}

PhaseTimes EncodeOnDevice::encode_from_scratch() {
  return whole_clock_.time(nullptr, [this](std::size_t) {
    encoder_.train(request_);
    for (const stage::EncodePhase& phase : encoder_.phases) phase.enqueue(request_);
  });
}

void EncodeOnDevice::poison() {
  output_.fill(0xb7);
  frame_bytes_.fill(0xff);
}

std::uint64_t EncodeOnDevice::verified_frame_bytes(const std::string& name,
                                                   std::span<const std::uint8_t> text) const {
  return experiments::verified_frame_bytes(name, output_, frame_bytes_, text);
}

}  // namespace gsst::experiments
