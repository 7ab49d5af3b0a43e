#include "common/stage/compile_time_choice.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
#include "stages/zero_length/05_cuda_scan/description.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/zero_length/05_cuda_scan/decode_1_block_tiles.cuh"

namespace gsst::zero_length {
namespace {

stage::Description describe_decoder() {
  stage::Description description = describe_cuda_scan(stage::Operation::decode);
  description.parameters = {{.name = "threads",
                             .description = "threads of a thread block",
                             .values = {64, 128},
                             .default_value = 128,
                             .compile_time = true},
                            {.name = "vectors",
                             .description = "vectors of 16 bytes that a thread reads at once",
                             .values = {1, 2, 4},
                             .default_value = 4,
                             .compile_time = true}};
  return description;
}

const stage::Description decoder = describe_decoder();

template <unsigned Threads, unsigned Vectors>
void decode_with(const stage::DecodeRequest& request) {
  stage::launch({.thread_blocks = request.frame.block_count,
                 .threads_per_block = Threads,
                 .shared_bytes = block_tiles::shared_bytes<Threads, Vectors>,
                 .stream = request.stream},
                block_tiles::decode_blocks<Threads, Vectors>, request.frame, request.output, request.status);
}

void decode(const stage::DecodeRequest& request) {
  const auto value = [&](const char* name) { return parameter_value(decoder, request.parameters, name); };
  stage::choose<64, 128>(value("threads"), [&](auto threads) {
    stage::choose<1, 2, 4>(value("vectors"),
                           [&](auto vectors) { decode_with<threads(), vectors()>(request); });
  });
}

const stage::Registration decoding(stage::this_executor, decoder, stage::decode_plans(decoder, decode));

}  // namespace
}  // namespace gsst::zero_length
