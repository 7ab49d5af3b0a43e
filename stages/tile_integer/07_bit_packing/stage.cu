#include <cstdint>

#include "common/format/tile_integer/bit_packing.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/tile_integer/07_bit_packing/kernel.cuh"

namespace gsst::tile_integer {
namespace {

const stage::Description description = {
    .id = "tile_integer/07_bit_packing",
    .base = "tile_integer/01_global",
    .title = "What cascades of layers are compared with: one layer of bits, GPU-BP",
    .section = "tile-based paper, 9.4",
    .format = format::tile_integer::bp_format,
    .operation = stage::Operation::decode,
    .minimum_compute_capability = 80,
    .parameters = {}};

void decode(const stage::DecodeRequest& request) {
  const std::uint32_t part_bytes = part_bytes_of(request.frame, 1);
  stage::launch({.thread_blocks = parts_of(request.frame, part_bytes),
                 .threads_per_block = packed_block_values,
                 .shared_bytes = 0,
                 .stream = request.stream},
                unpack_bits, request.frame, request.output, request.status, part_bytes);
}

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode));

}  // namespace
}  // namespace gsst::tile_integer
