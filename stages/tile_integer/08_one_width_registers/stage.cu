#include <cstdint>
#include <memory>

#include "common/format/tile_integer/layouts.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/plans_of_stage.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/tile_integer/08_one_width_registers/kernel.cuh"
#include "stages/tile_integer/shared/host_partial_sums.cuh"

namespace gsst::tile_integer {
namespace {

using format::tile_integer::ofor_format;

const stage::Description description = {
    .id = "tile_integer/08_one_width_registers",
    .base = "tile_integer/08_one_width",
    .title = "One width in place of four miniblocks, without writing: values stay in registers",
    .section = "tile-based paper, 4.3",
    .format = ofor_format,
    .operation = stage::Operation::query,
    .minimum_compute_capability = 80,
    .parameters = {{.name = "blocks_per_tile",
                    .description = "packed blocks of a thread block, the paper's D",
                    .values = {1, 2, 4, 8, 16, 32},
                    .default_value = 4,
                    .compile_time = false}}};

std::unique_ptr<stage::Plan> plan_one_width_sum(const stage::QuerySubject& subject) {
  check_sum(description, subject);
  const auto blocks_of_tile =
      static_cast<std::uint32_t>(stage::parameter_value(description, subject.parameters, "blocks_per_tile"));
  return std::make_unique<PartialSumPlan>(
      description, subject, [=](const FrameOnDevice& frame, const PartialSums& sums, stage::Stream stream) {
        const std::uint32_t part_bytes = part_bytes_of(frame, blocks_of_tile);
        stage::launch({.thread_blocks = parts_of(frame, part_bytes),
                       .threads_per_block = threads_of_partial_sums,
                       .shared_bytes = bytes_of_partial_sums + staged_tile_bytes(frame, blocks_of_tile),
                       .stream = stream},
                      sum_one_width_tiles, frame, sums, part_bytes, blocks_of_tile);
      });
}

const stage::Registration registration(
    stage::this_executor, description,
    stage::QueryPlans{.reads = [](format::BlockFormat format) { return format == ofor_format; },
                      .make = plan_one_width_sum});

}  // namespace
}  // namespace gsst::tile_integer
