#include <cstdint>

#include "common/stage/launch.hpp"
#include "common/stage/plans_of_stage.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/search/02_byte_automaton_on_codes/kernel.cuh"
#include "stages/search/shared/host_code_search.cuh"

namespace gsst::search::kernels {
namespace {

const stage::Description description = {
    .id = "search/02_byte_automaton_on_codes",
    .base = "search/01_decode_then_search",
    .title = "An automaton reads codes: one look into a table a code",
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
            .bytes_of_block = table_bytes<CodeBits> + sizeof(std::uint32_t),
            .bytes_of_warp = 0};
  }
};

const stage::Registration registration(stage::this_executor, description,
                                       code_search_plans<Kernels>(description));

}  // namespace
}  // namespace gsst::search::kernels
