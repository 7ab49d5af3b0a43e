#include <cstddef>
#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/tile_integer/07_cascaded/kernel.cuh"
#include "stages/tile_integer/shared/host_whole_frame.cuh"

namespace gsst::tile_integer {
namespace {

const stage::Description description = {.id = "tile_integer/07_cascaded",
                                        .base = "tile_integer/04_miniblock_offsets",
                                        .title = "Bits and references in two kernels: FOR+BitPack",
                                        .section = "tile-based paper, 3 and 9.2",
                                        .format = format::tile_integer::for_format,
                                        .operation = stage::Operation::decode,
                                        .minimum_compute_capability = 80,
                                        .parameters = {}};

std::size_t scratch_bytes(const stage::FrameOnDevice& frame) {
  return output_bytes_of_whole_frame(description.id, frame);
}

void decode(const stage::DecodeRequest& request) {
  auto* const differences = static_cast<std::uint8_t*>(request.scratch);
  const std::uint32_t part_bytes = part_bytes_of(request.frame, blocks_of_cascade_tile);
  stage::LaunchShape shape = {.thread_blocks = parts_of(request.frame, part_bytes),
                              .threads_per_block = packed_block_values,
                              .shared_bytes = unpack_shared_bytes(request.frame, false),
                              .stream = request.stream};
  stage::launch(shape, unpack_differences, request.frame, differences, part_bytes);
  shape.shared_bytes = 0;
  stage::launch(shape, add_references_to_differences, request.frame, differences, request.output,
                request.status, part_bytes);
}

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode, scratch_bytes));

}  // namespace
}  // namespace gsst::tile_integer
