#include "experiments/measure/kinds/encode/encode_on_device.hpp"

#include "experiments/measure/shared/encoded_frame.hpp"
#include "experiments/measure/shared/given.hpp"

namespace gsst::experiments {

EncodeOnDevice::EncodeOnDevice(const Point& point, const cuda::DeviceBuffer& input)
    : plan_(point.stage->encode.at(stage::Executor::gpu)->plan_of(input_to_encode(point, input.size()))),
      format_(point.input.format),
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

void EncodeOnDevice::train() {
  plan_->prepare(given_, nullptr);
  for (std::size_t phase = 0; phase < first_phase_; ++phase) plan_->enqueue(given_, nullptr, phase);
}

PhaseTimes EncodeOnDevice::encode() {
  return clock_.time(nullptr,
                     [this](std::size_t phase) { plan_->enqueue(given_, nullptr, first_phase_ + phase); });
}

PhaseTimes EncodeOnDevice::encode_from_scratch() {
  return whole_clock_.time(nullptr, [this](std::size_t) {
    plan_->prepare(given_, nullptr);
    enqueue_all(*plan_, given_, nullptr);
  });
}

void EncodeOnDevice::poison() {
  output_.fill(0xb7);
  frame_bytes_.fill(0xff);
}

std::uint64_t EncodeOnDevice::verified_frame_bytes(const std::string& name,
                                                   std::span<const std::uint8_t> text) const {
  return experiments::verified_frame_bytes(name, format_, output_, frame_bytes_, text);
}

}  // namespace gsst::experiments
