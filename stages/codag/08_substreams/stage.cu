#include <cstdint>

#include "common/format/codag/deflate.hpp"
#include "common/stage/compile_time_choice.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/codag/08_substreams/kernel.cuh"
#include "stages/codag/shared/host_warps.cuh"
#include "stages/codag/shared/parameters.hpp"

namespace gsst::codag {
namespace {

const stage::Description description = {
    .id = "codag/08_substreams",
    .base = "codag/05_writes_deflate",
    .title = "Each lane decodes another part of the bits",
    .section = "past the paper",
    .format = format::codag::deflate_format,
    .operation = stage::Operation::decode,
    .minimum_compute_capability = 80,
    .parameters = {
        threads_of_warps(),
        {.name = "segment_bits",
         .description = "bits that a lane decodes for a piece of output; it finds four times as many at once",
         .values = {72, 104, 136},
         .default_value = 104,
         .compile_time = true}}};

void decode(const stage::DecodeRequest& request) {
  const std::int64_t threads = stage::parameter_value(description, request.parameters, "threads");
  stage::choose<72, 104, 136>(
      stage::parameter_value(description, request.parameters, "segment_bits"), [&](auto segment_bits) {
        constexpr std::uint32_t bits = decltype(segment_bits)::value;
        stage::launch(shape_of_warps(request, threads, sizeof(WarpMemory<bits>)),
                      decode_substream_chunks<bits>, request.frame, request.output, request.status);
      });
}

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode));

}  // namespace
}  // namespace gsst::codag
