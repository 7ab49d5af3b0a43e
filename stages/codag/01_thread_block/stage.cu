#include <cstdint>

#include "common/format/codag/codag.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/codag/01_thread_block/kernel.cuh"
#include "stages/codag/shared/host_codecs.cuh"
#include "stages/codag/shared/parameters.hpp"

namespace gsst::codag {
namespace {

const stage::Description description = {
    .id = "codag/01_thread_block",
    .base = "",
    .title = "A thread block for each chunk: a leader decodes, all others wait",
    .section = "CODAG paper, II-C",
    .format = format::codag::orc_rle_v1_format,
    .operation = stage::Operation::decode,
    .minimum_compute_capability = 80,
    .parameters = {threads_of_leader(), symbols_of_leader()}};

void decode(const stage::DecodeRequest& request) {
  const std::int64_t threads = stage::parameter_value(description, request.parameters, "threads");
  const std::int64_t symbols = stage::parameter_value(description, request.parameters, "symbols");
  with_codec_of(request.frame.format, [&]<typename Codec>() {
    stage::launch({.thread_blocks = request.frame.block_count,
                   .threads_per_block = static_cast<unsigned>(threads),
                   .shared_bytes = sizeof(BlockMemory),
                   .stream = request.stream},
                  decode_chunks<Codec>, request.frame, request.output, request.status,
                  static_cast<std::uint32_t>(symbols));
  });
}

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode));

}  // namespace
}  // namespace gsst::codag
