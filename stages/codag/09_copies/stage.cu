#include <cstdint>
#include <type_traits>

#include "common/format/codag/deflate.hpp"
#include "common/stage/compile_time_choice.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/codag/09_copies/kernel.cuh"
#include "stages/codag/09_copies/kernel_chains.cuh"

namespace gsst::codag {
namespace {

const stage::Description description = {
    .id = "codag/09_copies",
    .base = "codag/08_substreams",
    .title = "Two warps for each chunk: one decodes, one copies matches",
    .section = "past the paper",
    .format = format::codag::deflate_format,
    .operation = stage::Operation::decode,
    .minimum_compute_capability = 80,
    .parameters = {{.name = "chains",
                    .description = "matches that need one another; 0: one after the other by the warp, 1: a "
                                   "byte for each lane, by pointers that are doubled",
                    .values = {0, 1},
                    .default_value = 1,
                    .compile_time = true},
                   {.name = "pieces",
                    .description = "pieces of output, up to 2 KB each, that one warp has staged and the "
                                   "other one has not written",
                    .values = {2, 3, 4},
                    .default_value = 3,
                    .compile_time = false}}};

void decode(const stage::DecodeRequest& request) {
  const auto pieces =
      static_cast<std::uint32_t>(stage::parameter_value(description, request.parameters, "pieces"));
  stage::choose<0, 1>(stage::parameter_value(description, request.parameters, "chains"), [&](auto chains) {
    using Chains = std::conditional_t<decltype(chains)::value == 0, ChainsInOrder, ChainsDoubled>;
    stage::launch({.thread_blocks = request.frame.block_count,
                   .threads_per_block = threads_of_copying_pair,
                   .shared_bytes = bytes_of_copying_pair(pieces),
                   .stream = request.stream},
                  decode_and_copy_chunks<Chains>, request.frame, request.output, request.status, pieces);
  });
}

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode));

}  // namespace
}  // namespace gsst::codag
