#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>

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

// By thread blocks that take a tile each. Statuses hold the partial sums until the last kernel, which leaves
// all blocks decoded: what the format's rules accept has nothing in it that could be wrong.
class PartialSumPlan : public PlanOfSum {
public:
  // As PlanOfSum has it.
  PartialSumPlan(const stage::Description& description, const stage::QuerySubject& subject,
                 LaunchPartialSums launch)
      : PlanOfSum(description, subject, most_threads_of_sums), launch_(std::move(launch)) {}

  void enqueue(std::span<const stage::Given> given, stage::Stream stream,
               std::size_t /*phase*/) const override {
    stage::clear(given[1].data, sizeof(std::uint64_t), stream);
    // A grid of no blocks is an error in CUDA.
    if (frame_.block_count == 0) return;
    const FrameOnDevice frame = frame_at(given[0].data);
    // The lower half of the answer.
    auto* const answer = static_cast<std::uint32_t*>(given[1].data);
    const PartialSums sums = {.numbers = static_cast<std::uint32_t*>(given[5].data),
                              .count = std::bit_floor(frame.block_count)};
    stage::clear(sums.numbers, parts()[5].bytes, stream);
    launch_(frame, sums, stream);
    enqueue_raw_sums(frame, answer, nullptr, stream);
    stage::launch({.thread_blocks = 1,
                   .threads_per_block = threads_,
                   .shared_bytes = bytes_of_warp_sums,
                   .stream = stream},
                  add_partial_sums, sums, answer);
  }

private:
  LaunchPartialSums launch_;
};

}  // namespace
}  // namespace gsst::tile_integer
