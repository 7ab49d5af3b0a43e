#include <cstdint>

#include "common/stage/launch.hpp"
#include "common/stage/plans_of_stage.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/search/05_wide_codes/kernel.cuh"
#include "stages/search/shared/host_code_search.cuh"

namespace gsst::search::kernels {
namespace {

const stage::Description description = {
    .id = "search/05_wide_codes",
    .base = "search/04_queue",
    .title = "Codes of 12 bits have few words: a class a code, in the lane's own bank",
    .section = "search",
    .format = format::BlockFormat::tiles,
    .operation = stage::Operation::query,
    .minimum_compute_capability = 90,
    .parameters = {warps_parameter},
};

struct Kernels {
  template <std::uint32_t CodeBits, std::uint32_t CodesPerLane>
  static CodeKernel of() {
    using Memory = QueuedMemory<CodeBits, WidthTable<CodeBits>>;
    return {.aligned = search_codes<CodeBits, CodesPerLane, true>,
            .any = search_codes<CodeBits, CodesPerLane, false>,
            .bytes_of_block = Memory::queues,
            .bytes_of_warp = Memory::bytes_of_warp};
  }
};

const stage::Registration registration(stage::this_executor, description,
                                       code_search_plans<Kernels>(description));

}  // namespace
}  // namespace gsst::search::kernels
