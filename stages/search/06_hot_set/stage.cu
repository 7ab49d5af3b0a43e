#include <cstdint>

#include "common/stage/launch.hpp"
#include "common/stage/plans_of_stage.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/search/06_hot_set/kernel.cuh"
// After the kernel, whose headers it needs.
#include "stages/search/06_hot_set/host_words_search.cuh"

namespace gsst::search::kernels {
namespace {

const stage::Description description = {
    .id = "search/06_hot_set",
    .base = "search/04_queue",
    .title = "Several words, in any case: one automaton, of which a step knows five groups of states",
    .section = "search",
    .format = format::BlockFormat::tiles,
    .operation = stage::Operation::query,
    .minimum_compute_capability = 80,
    .parameters = {warps_parameter},
};

struct Kernels {
  static constexpr SearchKernel raw_blocks = find_words_in_raw_blocks;

  template <std::uint32_t CodeBits, std::uint32_t CodesPerLane>
  static CodeKernel of() {
    using Memory = StepsMemory<CodeBits>;
    return {.aligned = search_codes<CodeBits, CodesPerLane, true>,
            .any = search_codes<CodeBits, CodesPerLane, false>,
            .bytes_of_block = Memory::queues,
            .bytes_of_warp = Memory::bytes_of_warp};
  }
};

const stage::Registration registration(stage::this_executor, description,
                                       words_search_plans<Kernels>(description));

}  // namespace
}  // namespace gsst::search::kernels
