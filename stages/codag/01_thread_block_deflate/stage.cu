#include <cstdint>

#include "common/format/codag/deflate.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/codag/01_thread_block_deflate/kernel.cuh"
#include "stages/codag/shared/parameters.hpp"

namespace gsst::codag {
namespace {

const stage::Description description = {.id = "codag/01_thread_block_deflate",
                                        .base = "",
                                        .title = "Deflate: a thread block for each chunk",
                                        .section = "CODAG paper, II-C",
                                        .format = format::codag::deflate_format,
                                        .operation = stage::Operation::decode,
                                        .minimum_compute_capability = 80,
                                        .parameters = {symbols_of_leader()}};

void decode(const stage::DecodeRequest& request) {
  const std::int64_t symbols = stage::parameter_value(description, request.parameters, "symbols");
  stage::launch({.thread_blocks = request.frame.block_count,
                 .threads_per_block = deflate_block_threads,
                 .shared_bytes = sizeof(DeflateBlockMemory),
                 .stream = request.stream},
                decode_deflate_chunks, request.frame, request.output, request.status,
                static_cast<std::uint32_t>(symbols));
}

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode));

}  // namespace
}  // namespace gsst::codag
