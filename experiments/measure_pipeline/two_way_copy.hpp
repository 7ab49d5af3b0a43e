#pragma once

#include <cstdint>
#include <span>

#include "common/pipeline/buffer.hpp"
#include "common/pipeline/queue.hpp"
#include "common/stage/stage.hpp"

namespace gsst::experiments {

/// Copies between host memory and an executor's in both directions at the same time, and nothing else: what a
/// pipeline can reach at most.
class TwoWayCopy {
public:
  /// Copies go through memory of the executor for a piece of at most `piece_bytes` bytes in each direction.
  /// Throws std::bad_alloc, cuda::CudaError.
  TwoWayCopy(stage::Executor executor, std::uint64_t piece_bytes);

  /// Copies all of `up` to the executor and, meanwhile, so much from there that `down` is full, each in
  /// `pieces` pieces, as many as a pipeline has batches. Both are host memory, page-locked for the GPU. What
  /// `down` holds then is not defined. Returns the seconds until all is done. Throws std::length_error where
  /// a piece is too large, and cuda::CudaError.
  double seconds(std::span<const std::uint8_t> up, std::span<std::uint8_t> down, std::uint64_t pieces);

private:
  pipeline::Buffer arrives_;
  pipeline::Buffer leaves_;
  pipeline::Queue uploads_;
  pipeline::Queue downloads_;
};

}  // namespace gsst::experiments
