#include <cstdint>

#include "common/stage/launch.hpp"
#include "common/stage/plans_of_stage.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/search/09_rows/kernel.cuh"
// After the kernel, whose headers it needs.
#include "stages/search/09_rows/host_rows.cuh"

namespace gsst::search::kernels {
namespace {

const stage::Description description = {
    .id = "search/09_rows",
    .base = "search/04_queue",
    .title = "A bitmap of the rows that have a match, as Arrow's booleans are",
    .section = "search",
    .format = format::BlockFormat::tiles,
    .operation = stage::Operation::query,
    .minimum_compute_capability = 80,
    .parameters = {warps_parameter},
};

struct Kernels {
  template <std::uint32_t CodeBits, std::uint32_t CodesPerLane>
  static CodeKernel of() {
    using Memory = LocatedMemory<CodeBits>;
    return {.aligned = search_codes<CodeBits, CodesPerLane, true>,
            .any = search_codes<CodeBits, CodesPerLane, false>,
            .bytes_of_block = Memory::queues,
            .bytes_of_warp = Memory::bytes_of_warp};
  }
};

const stage::Registration registration(stage::this_executor, description, rows_plans<Kernels>(description));

}  // namespace
}  // namespace gsst::search::kernels
