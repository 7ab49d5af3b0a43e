#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/cuda/device_buffer.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/plan.hpp"
#include "experiments/measure/shared/points.hpp"

namespace gsst::experiments {

/// A compressed column on the device, and the plans that sum it.
class SumsOnDevice {
public:
  /// Checks `frame`, which is what the input of `points` says of the text, and copies it to the device.
  /// Throws format::FormatError, CudaError, and std::invalid_argument for a stage that does not sum it.
  SumsOnDevice(std::span<const Point> points, const std::vector<std::uint8_t>& frame);

  /// Makes the memory that a sum is written to useless.
  void poison();

  /// Enqueues the sum of the column by the stage of the point with that position, on the default stream.
  void enqueue(std::size_t point);

  /// The sum that the last execution, which was that point's, has left. Waits for it. Throws
  /// format::FormatError for the first block whose status is a problem.
  std::uint64_t sum(std::size_t point) const;

  const cuda::DeviceBuffer& frame() const { return bytes_; }
  /// Device memory whose content does not matter between the executions: 8 bytes.
  cuda::DeviceBuffer& answer() { return answer_; }
  std::uint64_t block_count() const { return shape_.block_count; }
  std::uint32_t split_count() const { return shape_.split_count; }
  std::uint64_t uncompressed_bytes() const { return shape_.uncompressed_bytes; }

private:
  stage::FrameOnDevice shape_;
  // Of each point.
  std::vector<std::unique_ptr<stage::Plan>> plans_;
  cuda::DeviceBuffer bytes_;
  cuda::DeviceBuffer answer_;
  cuda::DeviceBuffer status_;
};

}  // namespace gsst::experiments
