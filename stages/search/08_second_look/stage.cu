#include <cstdint>

#include "common/stage/launch.hpp"
#include "common/stage/plans_of_stage.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/search/08_second_look/kernel.cuh"
#include "stages/search/shared/host_code_search.cuh"

namespace gsst::search::kernels {
namespace {

const stage::Description description = {
    .id = "search/08_second_look",
    .base = "search/04_queue",
    .title = "Frequent words are counted by a word of 64 bits a code, without a queue",
    .section = "search",
    .format = format::BlockFormat::tiles,
    .operation = stage::Operation::query,
    .minimum_compute_capability = 80,
    .parameters = {warps_parameter},
};

struct Kernels {
  template <std::uint32_t CodeBits, std::uint32_t CodesPerLane>
  static CodeKernel of() {
    using Memory = SecondLookMemory<CodeBits>;
    return {.aligned = search_codes<CodeBits, CodesPerLane, true>,
            .any = search_codes<CodeBits, CodesPerLane, false>,
            .bytes_of_block = Memory::warps,
            .bytes_of_warp = Memory::bytes_of_warp};
  }
};

const stage::Registration registration(stage::this_executor, description,
                                       code_search_plans<Kernels>(description));

}  // namespace
}  // namespace gsst::search::kernels
