#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "common/cuda/device_buffer.hpp"
#include "common/encode_stage/encode_stage.hpp"
#include "experiments/measure/kinds/encode/phase_clock.hpp"
#include "experiments/measure/shared/points.hpp"

namespace gsst::experiments {

/// A point's encoder with its memory on the device.
class EncodeOnDevice {
public:
  /// `input` is the text in device memory. Throws CudaError, and std::invalid_argument for settings that the
  /// stage does not take on this text.
  EncodeOnDevice(const Point& point, const cuda::DeviceBuffer& input);

  /// Encodes with the tables that are loaded, and waits.
  PhaseTimes encode();

  /// Trains, loads the tables, encodes and waits. All of it is one phase.
  PhaseTimes encode_from_scratch();

  /// Forgets the frame before, so that one that is not written again is found.
  void poison();

  /// Bytes of the frame, after the oracle has given back `text` from it. `name` is for messages. Throws
  /// MismatchError.
  std::uint64_t verified_frame_bytes(const std::string& name, std::span<const std::uint8_t> text) const;

  /// Of the output and of scratch memory.
  std::uint64_t device_bytes() const { return output_.size() + scratch_.size(); }
  const std::vector<stage::EncodePhase>& phases() const { return encoder_.phases; }
  std::uint8_t* output() { return output_.data(); }

private:
  const stage::Encoder& encoder_;
  stage::EncodeSettings settings_;
  stage::EncodeSpace space_;
  cuda::DeviceBuffer output_;
  cuda::DeviceBuffer scratch_;
  cuda::DeviceBuffer status_;
  cuda::DeviceBuffer frame_bytes_;
  stage::EncodeRequest request_;
  PhaseClock clock_;
  PhaseClock whole_clock_;
};

}  // namespace gsst::experiments
