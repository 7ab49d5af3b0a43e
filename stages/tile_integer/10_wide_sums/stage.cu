#include <cstdint>
#include <memory>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/plans_of_stage.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/tile_integer/10_wide_sums/kernel.cuh"
#include "stages/tile_integer/shared/host_sums.cuh"

namespace gsst::tile_integer {
namespace {

using format::tile_integer::for_format;

const stage::Description description = {
    .id = "tile_integer/10_wide_sums",
    .base = "tile_integer/10_wide_tiles",
    .title = "Past the paper: a column is decoded into its sum",
    .section = "past the tile-based paper, 4 and 7",
    .format = for_format,
    .operation = stage::Operation::query,
    .minimum_compute_capability = 80,
    .parameters = {
        {.name = "blocks_per_tile",
         .description = "packed blocks of a tile, of which a warp has two under way; fewer where there is no "
                        "room for them; 0: 16 or 8, by their size",
         .values = {0, 8, 16},
         .default_value = 0,
         .compile_time = false},
        sum_threads_parameter}};

std::unique_ptr<stage::Plan> plan_sum(const stage::QuerySubject& subject) {
  check_sum(description, subject);
  const std::int64_t blocks = stage::parameter_value(description, subject.parameters, "blocks_per_tile");
  return std::make_unique<SumPlan<PackedSums>>(description, subject, static_cast<std::uint32_t>(blocks));
}

const stage::Registration registration(
    stage::this_executor, description,
    stage::QueryPlans{.reads = [](format::BlockFormat format) { return format == for_format; },
                      .make = plan_sum});

}  // namespace
}  // namespace gsst::tile_integer
