#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "common/stage/block_statuses.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/plans_of_stage.hpp"
#include "stages/tile_integer/shared/host_sums.cuh"
#include "stages/tile_integer/shared/partial_sums.cuh"

// Plans of stages whose thread blocks sum a tile each. After launch.hpp, which gives the kernels CUDA's words
// where the compiler has none.
namespace gsst::tile_integer {
namespace {

// Enqueues kernels that add the sums of all packed values of the frame.
using LaunchPartialSums = std::function<void(const FrameOnDevice&, const PartialSums&, stage::Stream)>;

// The question and the answer are those of SumPlan. Statuses hold the partial sums until the last kernel,
// which leaves all blocks decoded: what the format's rules accept has nothing in it that could be wrong.
class PartialSumPlan : public stage::Plan {
public:
  // `description` outlives the plan; `subject` is what check_sum() accepts.
  PartialSumPlan(const stage::Description& description, const stage::QuerySubject& subject,
                 LaunchPartialSums launch)
      : description_(description), frame_(subject.frames[0]), launch_(std::move(launch)) {
    if (frame_.has_raw_blocks) {
      raw_thread_blocks_ = std::min(
          stage::resident_thread_blocks(threads, bytes_of_warp_sums, sum_raw_blocks), frame_.block_count);
    }
    parts_ = {stage::Part{.name = "frame", .role = Role::input, .bytes = frame_.frame_bytes, .alignment = 1},
              stage::Part{.name = "answer", .role = Role::output, .bytes = 8, .alignment = 8},
              stage::Part{.name = "result", .role = Role::result, .bytes = 0, .alignment = 8},
              stage::Part{.name = "state", .role = Role::state, .bytes = 0, .alignment = 1},
              stage::Part{.name = "scratch", .role = Role::scratch, .bytes = 0, .alignment = 1},
              stage::Part{.name = "status",
                          .role = Role::status,
                          .bytes = std::uint64_t{frame_.block_count} * sizeof(std::uint32_t),
                          .alignment = 4}};
  }

  std::span<const stage::Part> parts() const override { return parts_; }

  std::span<const stage::Phase> phases() const override {
    static constexpr std::array phases = {stage::Phase{.name = "sum"}};
    return phases;
  }

  void enqueue(std::span<const stage::Given> given, stage::Stream stream,
               std::size_t /*phase*/) const override {
    stage::clear(given[1].data, sizeof(std::uint64_t), stream);
    // A grid of no blocks is an error in CUDA.
    if (frame_.block_count == 0) return;
    FrameOnDevice frame = frame_;
    frame.bytes = static_cast<const std::uint8_t*>(given[0].data);
    // The lower half of the answer.
    auto* const answer = static_cast<std::uint32_t*>(given[1].data);
    const PartialSums sums = {.numbers = static_cast<std::uint32_t*>(given[5].data),
                              .count = std::bit_floor(frame.block_count)};
    stage::clear(sums.numbers, parts_[5].bytes, stream);
    launch_(frame, sums, stream);
    if (frame.has_raw_blocks) {
      stage::launch({.thread_blocks = raw_thread_blocks_,
                     .threads_per_block = threads,
                     .shared_bytes = bytes_of_warp_sums,
                     .stream = stream},
                    sum_raw_blocks, frame, answer);
    }
    stage::launch({.thread_blocks = 1,
                   .threads_per_block = threads,
                   .shared_bytes = bytes_of_warp_sums,
                   .stream = stream},
                  add_partial_sums, sums, answer);
  }

  stage::Outcome check(std::span<const std::byte> status, std::span<const std::byte> /*result*/,
                       std::uint64_t first) const override {
    if (auto problem = stage::first_problem(description_.format, status, first)) return {.problem = problem};
    return {.count = 1, .is_complete = true};
  }

private:
  // Of the kernels around the stage's.
  static constexpr unsigned threads = most_threads_of_sums;

  const stage::Description& description_;
  FrameOnDevice frame_;
  LaunchPartialSums launch_;
  std::uint32_t raw_thread_blocks_ = 0;
  std::vector<stage::Part> parts_;
};

}  // namespace
}  // namespace gsst::tile_integer
