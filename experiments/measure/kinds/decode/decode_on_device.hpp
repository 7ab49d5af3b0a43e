#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/cuda/device_buffer.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/plan.hpp"
#include "experiments/measure/shared/points.hpp"

namespace gsst::experiments {

/// A compressed form of the text on the device, with the memory that decoding it takes besides the output.
class DecodeOnDevice {
public:
  /// Checks `frame`, which is what the input of `points` says of the text, and copies it to the device.
  /// Scratch memory is enough for whichever of `points` runs. Throws format::FormatError, CudaError.
  DecodeOnDevice(std::span<const Point> points, const std::vector<std::uint8_t>& frame);

  /// Enqueues the decoding of the whole frame by the stage of the point with that position into `output`,
  /// device memory for all of the text.
  void enqueue(std::size_t point, cuda::DeviceBuffer& output, cudaStream_t stream);

  /// Waits for that point's decoding. Throws format::FormatError for the first block whose status is a
  /// problem.
  void check_statuses(std::size_t point) const;

  const cuda::DeviceBuffer& frame() const { return bytes_; }
  std::uint64_t block_count() const { return shape_.block_count; }
  std::uint32_t split_count() const { return shape_.split_count; }
  std::uint64_t uncompressed_bytes() const { return shape_.uncompressed_bytes; }

private:
  stage::FrameOnDevice shape_;
  // Of each point.
  std::vector<std::unique_ptr<stage::Plan>> plans_;
  cuda::DeviceBuffer bytes_;
  cuda::DeviceBuffer status_;
  cuda::DeviceBuffer scratch_{0};
};

}  // namespace gsst::experiments
