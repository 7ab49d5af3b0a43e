#include "common/format/codag/codag.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/codag/06_prefetch_warp/kernel.cuh"
#include "stages/codag/shared/host_codecs.cuh"

namespace gsst::codag {
namespace {

const stage::Description description = {.id = "codag/06_prefetch_warp",
                                        .base = "codag/05_writes",
                                        .title = "A second warp for each chunk reads ahead",
                                        .section = "CODAG paper, V-F",
                                        .format = format::codag::orc_rle_v1_format,
                                        .operation = stage::Operation::decode,
                                        .minimum_compute_capability = 80,
                                        .parameters = {}};

void decode(const stage::DecodeRequest& request) {
  with_codec_of(request.frame.format, [&]<typename Codec>() {
    stage::launch({.thread_blocks = request.frame.block_count,
                   .threads_per_block = threads_of_pair,
                   .shared_bytes = PrefetchedBytes::buffer_bytes,
                   .stream = request.stream},
                  decode_chunks<Codec>, request.frame, request.output, request.status);
  });
}

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode));

}  // namespace
}  // namespace gsst::codag
