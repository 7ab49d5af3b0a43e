#include "common/format/tile_integer/value_dictionary.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/tile_integer/07_dictionary/kernel.cuh"

namespace gsst::tile_integer {
namespace {

const stage::Description description = {
    .id = "tile_integer/07_dictionary",
    .base = "tile_integer/07_nsf",
    .title = "Numbers of entries of a dictionary in whole bytes, DICT+NSF",
    .section = "tile-based paper, 2.2 and 9.4",
    .format = format::tile_integer::dict_format,
    .operation = stage::Operation::decode,
    .minimum_compute_capability = 80,
    .parameters = {}};

void decode(const stage::DecodeRequest& request) {
  stage::launch({.thread_blocks = parts_of(request.frame, dict_part_bytes),
                 .threads_per_block = dict_threads,
                 .shared_bytes = 0,
                 .stream = request.stream},
                look_up_values, request.frame, request.output, request.status);
}

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode));

}  // namespace
}  // namespace gsst::tile_integer
