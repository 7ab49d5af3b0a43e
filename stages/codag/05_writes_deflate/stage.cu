#include <cstdint>

#include "common/format/codag/deflate.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/codag/05_writes_deflate/kernel.cuh"
#include "stages/codag/shared/host_warps.cuh"
#include "stages/codag/shared/parameters.hpp"

namespace gsst::codag {
namespace {

const stage::Description description = {.id = "codag/05_writes_deflate",
                                        .base = "codag/04_reads_deflate",
                                        .title = "Deflate: whole words are copied: CODAG",
                                        .section = "CODAG paper, IV-F",
                                        .format = format::codag::deflate_format,
                                        .operation = stage::Operation::decode,
                                        .minimum_compute_capability = 80,
                                        .parameters = {threads_of_warps(), buffer_of_lines()}};

template <typename Bytes>
void launch_decoder(const stage::DecodeRequest& request) {
  const std::int64_t threads = stage::parameter_value(description, request.parameters, "threads");
  stage::launch(shape_of_warps(request, threads, deflate_warp_bytes<Bytes>), decode_deflate_chunks<Bytes>,
                request.frame, request.output, request.status);
}

void decode(const stage::DecodeRequest& request) {
  if (stage::parameter_value(description, request.parameters, "buffer") == buffer_in_shared_memory) {
    launch_decoder<SharedLineBytes>(request);
  } else {
    launch_decoder<RegisterLineBytes>(request);
  }
}

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode));

}  // namespace
}  // namespace gsst::codag
