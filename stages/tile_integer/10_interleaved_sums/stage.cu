#include <cstdint>
#include <memory>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/plans_of_stage.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/tile_integer/10_interleaved_sums/kernel.cuh"
#include "stages/tile_integer/shared/host_sums.cuh"

namespace gsst::tile_integer {
namespace {

using format::tile_integer::ifor_format;

const stage::Description description = {
    .id = "tile_integer/10_interleaved_sums",
    .base = "tile_integer/10_wide_sums",
    .title = "Past the paper: a column of interleaved words is decoded into its sum",
    .section = "past the tile-based paper, 4.3 and 7",
    .format = ifor_format,
    .operation = stage::Operation::query,
    .minimum_compute_capability = 80,
    .parameters = {{.name = "blocks_per_tile",
                    .description = "interleaved blocks of a tile, of which a warp has two under way; fewer "
                                   "where there is no room for them; 0: 4 or 2, by their size",
                    .values = {0, 1, 2, 4},
                    .default_value = 0,
                    .compile_time = false},
                   sum_threads_parameter}};

std::unique_ptr<stage::Plan> plan_interleaved_sum(const stage::QuerySubject& subject) {
  check_sum(description, subject);
  const std::int64_t blocks = stage::parameter_value(description, subject.parameters, "blocks_per_tile");
  return std::make_unique<SumPlan<InterleavedSums>>(description, subject, static_cast<std::uint32_t>(blocks));
}

const stage::Registration registration(
    stage::this_executor, description,
    stage::QueryPlans{.reads = [](format::BlockFormat format) { return format == ifor_format; },
                      .make = plan_interleaved_sum});

}  // namespace
}  // namespace gsst::tile_integer
