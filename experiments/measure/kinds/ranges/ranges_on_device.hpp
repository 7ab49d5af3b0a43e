#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/cuda/device_buffer.hpp"
#include "experiments/measure/kinds/library_frame.hpp"
#include "gsst/gsst.h"

namespace gsst::experiments {

/// A list of ranges of a frame on the device, with the memory that decoding them takes.
class RangesOnDevice {
public:
  /// `wanted` is what the ranges hold; `frame` outlives the object. Throws CudaError, and
  /// std::invalid_argument for too many ranges.
  RangesOnDevice(const std::vector<gsst_range>& list, std::span<const std::uint8_t> wanted,
                 const LibraryFrame& frame);

  /// Enqueues the decoding of the ranges on the default stream.
  void enqueue();

  std::uint64_t count() const { return count_; }
  const cuda::DeviceBuffer& expected() const { return expected_; }
  cuda::DeviceBuffer& output() { return output_; }
  const cuda::DeviceBuffer& statuses() const { return status_; }

private:
  const LibraryFrame& frame_;
  std::uint64_t count_;
  cuda::DeviceBuffer ranges_;
  cuda::DeviceBuffer expected_;
  cuda::DeviceBuffer output_;
  cuda::DeviceBuffer scratch_;
  cuda::DeviceBuffer status_;
};

}  // namespace gsst::experiments
