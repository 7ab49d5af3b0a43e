#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/tile_integer/01_global/kernel.cuh"

namespace gsst::tile_integer {
namespace {

const stage::Description description = {.id = "tile_integer/01_global",
                                        .base = "",
                                        .title = "One thread decodes one value from global memory",
                                        .section = "tile-based paper, 4.2, Algorithm 1",
                                        .format = format::tile_integer::for_format,
                                        .operation = stage::Operation::decode,
                                        .minimum_compute_capability = 80,
                                        .parameters = {}};

// Bytes of the smallest value that a block of the frame may hold.
std::uint32_t smallest_value_bytes(const stage::FrameOnDevice& frame) {
  std::uint32_t smallest = 8;
  for (std::size_t number = 0; number < format::tile_integer::type_count; ++number) {
    const auto type = static_cast<format::tile_integer::Type>(number);
    if ((frame.payload_traits & format::tile_integer::trait_of(type)) == 0) continue;
    smallest = std::min(smallest, format::tile_integer::shape_of(type).value_bytes);
  }
  return smallest;
}

void decode(const stage::DecodeRequest& request) {
  const stage::FrameOnDevice& frame = request.frame;
  const std::uint32_t part_bytes = format::tile_integer::packed_block_values * smallest_value_bytes(frame);
  // Each block ends with a part that may be shorter.
  const std::uint64_t parts = frame.uncompressed_bytes / part_bytes + frame.block_count;
  stage::launch({.thread_blocks = static_cast<unsigned>(parts),
                 .threads_per_block = format::tile_integer::packed_block_values,
                 .shared_bytes = 0,
                 .stream = request.stream},
                decode_values, frame, request.output, request.status, part_bytes);
}

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode));

}  // namespace
}  // namespace gsst::tile_integer
