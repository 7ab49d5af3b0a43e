#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "common/cuda/device_buffer.hpp"
#include "common/stage/plan.hpp"
#include "experiments/measure/kinds/encode/phase_clock.hpp"
#include "experiments/measure/shared/points.hpp"

namespace gsst::experiments {

/// A point's encoder with its memory on the device.
class EncodeOnDevice {
public:
  /// `input` is the text in device memory. Throws CudaError, and std::invalid_argument for settings that the
  /// stage does not take on this text.
  EncodeOnDevice(const Point& point, const cuda::DeviceBuffer& input);

  /// Trains and loads the tables; on the executor this is enqueued.
  void train();

  /// Encodes with the tables that are loaded, and waits.
  PhaseTimes encode();

  /// Trains, loads the tables, encodes and waits. All of it is one phase.
  PhaseTimes encode_from_scratch();

  /// Forgets the frame before, so that one that is not written again is found.
  void poison();

  /// Bytes of the frame, after the oracle has given back `text` from it. `name` is for messages. Throws
  /// MismatchError.
  std::uint64_t verified_frame_bytes(const std::string& name, std::span<const std::uint8_t> text) const;

  /// Of the output, of the tables and of scratch memory.
  std::uint64_t device_bytes() const { return output_.size() + state_.size(); }
  /// Those that encode() times.
  std::span<const stage::Phase> phases() const { return plan_->phases().subspan(first_phase_); }
  std::uint8_t* output() { return output_.data(); }

private:
  std::unique_ptr<stage::Plan> plan_;
  format::BlockFormat format_;
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

}  // namespace gsst::experiments
