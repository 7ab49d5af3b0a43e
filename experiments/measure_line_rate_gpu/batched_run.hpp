#pragma once

#include <cstdint>

#include "common/stage/stage.hpp"
#include "experiments/measure_line_rate/expected_blocks.hpp"
#include "experiments/measure_line_rate/paced_run.hpp"
#include "experiments/measure_line_rate/paced_source.hpp"
#include "stages/zero_length/shared/host_to_host.hpp"

namespace gsst::experiments {

/// Sources, the ring that they fill, and how what is in it gets to the executor.
struct BatchedSetup {
  stage::Executor executor;
  /// Of all sources together.
  Pace pace;
  /// Threads that deliver, each as much, at least 1. One of them copies about 10 GB/s, 80 Gb/s.
  std::uint32_t sources;
  /// Blocks of the ring, at least 1.
  std::uint64_t ring_blocks;
  /// Blocks of the largest batch, and how many batches are under way at the same time.
  zero_length::BatchShape shape;
};

/// What became of the blocks, and what that took.
struct BatchedRun {
  PacedRun paced;
  /// That the blocks came in.
  std::uint64_t batches;
  /// Memory of the executor.
  std::uint64_t device_bytes;
};

/// Runs the sources, each in a thread. Another thread starts a batch of what is full in the ring whenever a
/// slot is free, and the thread of the caller takes the encoded bytes in page-locked host memory. Before and
/// after, each of the blocks is encoded by the same encoder without a pace and compared whole; meanwhile, in
/// pieces. Throws MismatchError where the oracle has other bytes, cuda::CudaError, and std::invalid_argument
/// where the setup's blocks are not those that are expected.
BatchedRun run_in_batches(const ExpectedBlocks& blocks, const BatchedSetup& setup,
                          const zero_length::HostToHost& functions);

}  // namespace gsst::experiments
