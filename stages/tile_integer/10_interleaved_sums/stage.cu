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

// Four, or two of large ones: of those a tile of four would leave a multiprocessor of compute capability 9.0
// two thread blocks of 256 threads, where a tile of two leaves it three.
std::uint32_t blocks_by_size(const FrameOnDevice& frame) {
  // Between what 10 and 11 bits take.
  constexpr std::uint64_t most_bytes = 1350;
  constexpr std::uint64_t block_bytes = std::uint64_t{InterleavedSums::unit_values} * sizeof(std::uint32_t);
  constexpr std::uint32_t usual = InterleavedSums::usual_units;
  return average_bytes(frame, block_bytes) <= most_bytes ? usual : usual / 2;
}

std::unique_ptr<stage::Plan> plan_interleaved_sum(const stage::QuerySubject& subject) {
  check_sum(description, subject);
  const std::int64_t asked = stage::parameter_value(description, subject.parameters, "blocks_per_tile");
  const std::uint32_t blocks =
      asked == 0 ? blocks_by_size(subject.frames[0]) : static_cast<std::uint32_t>(asked);
  return std::make_unique<SumPlan<InterleavedSums>>(description, subject, blocks);
}

const stage::Registration registration(
    stage::this_executor, description,
    stage::QueryPlans{.reads = [](format::BlockFormat format) { return format == ifor_format; },
                      .make = plan_interleaved_sum});

}  // namespace
}  // namespace gsst::tile_integer
