#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/stage/plan.hpp"
#include "common/stage/registry.hpp"
#include "library/decompress_plan.hpp"

namespace gsst::library {

/// Memory of the executor for one search.
struct GpuSearchMemory {
  /// The planned frame, at any address.
  const std::uint8_t* frame;
  /// pattern_count() words, set to how often each pattern is there.
  std::uint64_t* counts;
  /// position_count() words. Those of a pattern, position_capacity(), follow those of the one before, and
  /// receive where its matches begin, in no order.
  std::uint64_t* positions;
  /// state_bytes() bytes that prepare() has filled, aligned to stage::scratch_alignment. Not written.
  std::uint8_t* state;
  /// scratch_bytes() bytes, aligned to stage::scratch_alignment; what they hold does not matter.
  std::uint8_t* scratch;
  /// status_count() words. Those of a pattern, one for each block, follow those of the one before.
  std::uint32_t* status;
};

/// Searches one frame in an executor's memory for strings, with the default stage: each string by itself, one
/// after the other.
class GpuSearchPlan {
public:
  /// `frame`: as FrameOutline has it, or whole; nothing of it is kept. `patterns`: 1 to
  /// search::kernels::most_pattern_bytes bytes each. `position_capacity`: positions of each pattern; 0: they
  /// are counted only. For Executor::gpu the plan is for the current device. Throws WrongFormat,
  /// format::FormatError, std::invalid_argument and cuda::CudaError.
  GpuSearchPlan(stage::Executor executor, std::span<const std::uint8_t> frame,
                std::span<const std::string> patterns, std::uint64_t position_capacity);

  /// Of the default stage, before a plan is made.
  static int minimum_compute_capability(stage::Executor executor);

  const FrameSummary& summary() const { return summary_; }
  std::uint64_t pattern_count() const { return searches_.size(); }
  std::uint64_t position_count() const { return searches_.size() * position_capacity_; }
  std::uint64_t status_count() const { return searches_.size() * summary_.block_count; }
  std::uint64_t state_bytes() const;
  std::uint64_t scratch_bytes() const;

  /// Fills `state` for the executions to come, on `stream`; waits for it.
  void prepare(const std::uint8_t* frame, std::uint8_t* state, stage::Stream stream) const;

  /// Enqueues the search on `stream`: allocates nothing on the executor, waits for nothing.
  void enqueue(const GpuSearchMemory& memory, stage::Stream stream) const;

  /// `counts` and `status` are copies in host memory. Throws ApiError, which names the pattern, for the first
  /// block that was not searched, or where there are more matches than room for positions.
  void check(std::span<const std::uint64_t> counts, std::span<const std::uint32_t> status) const;

private:
  static const stage::RegisteredStage& stage_of(stage::Executor executor);

  FrameSummary summary_;
  std::uint64_t position_capacity_;
  // One for each pattern.
  std::vector<std::unique_ptr<stage::Plan>> searches_;
};

}  // namespace gsst::library
