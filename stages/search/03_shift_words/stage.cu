#include <cstdint>

#include "common/stage/launch.hpp"
#include "common/stage/plans_of_stage.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/search/03_shift_words/kernel.cuh"
#include "stages/search/shared/host_code_search.cuh"

namespace gsst::search::kernels {
namespace {

const stage::Description description = {
    .id = "search/03_shift_words",
    .base = "search/02_byte_automaton_on_codes",
    .title = "A step is one shift, and no lane waits for another",
    .section = "search",
    .format = format::BlockFormat::tiles,
    .operation = stage::Operation::query,
    .minimum_compute_capability = 80,
    .parameters = {warps_parameter},
};

struct Kernels {
  template <std::uint32_t CodeBits, std::uint32_t CodesPerLane>
  static CodeKernel of() {
    return {.aligned = search_codes<CodeBits, CodesPerLane, true>,
            .any = search_codes<CodeBits, CodesPerLane, false>,
            .bytes_of_block = tables_end<CodeBits> + sizeof(std::uint32_t),
            .bytes_of_warp = 0};
  }
};

const stage::Registration registration(stage::this_executor, description,
                                       code_search_plans<Kernels>(description));

}  // namespace
}  // namespace gsst::search::kernels
