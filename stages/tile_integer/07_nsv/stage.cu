#include <cstddef>
#include <cstdint>

#include "common/format/tile_integer/variable_bytes.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/tile_integer/07_nsv/kernel.cuh"
#include "stages/tile_integer/shared/host_whole_frame.cuh"

namespace gsst::tile_integer {
namespace {

const stage::Description description = {.id = "tile_integer/07_nsv",
                                        .base = "tile_integer/07_nsf",
                                        .title = "As many bytes as each value needs, NSV",
                                        .section = "tile-based paper, 9.3",
                                        .format = format::tile_integer::nsv_format,
                                        .operation = stage::Operation::decode,
                                        .minimum_compute_capability = 80,
                                        .parameters = {}};

std::uint32_t nsv_part_bytes(const stage::FrameOnDevice& frame) {
  return nsv_values_of_part * extreme_shape(frame, true).value_bytes;
}

std::size_t scratch_bytes(const stage::FrameOnDevice& frame) {
  output_bytes_of_whole_frame(description.id, frame);
  return parts_of(frame, nsv_part_bytes(frame)) * sizeof(std::uint32_t);
}

void decode(const stage::DecodeRequest& request) {
  const std::uint32_t part_bytes = nsv_part_bytes(request.frame);
  auto* const totals = static_cast<std::uint32_t*>(request.scratch);
  const stage::LaunchShape shape = {.thread_blocks = parts_of(request.frame, part_bytes),
                                    .threads_per_block = nsv_threads,
                                    .shared_bytes = nsv_shared_bytes,
                                    .stream = request.stream};
  stage::launch(shape, total_bytes, request.frame, totals, request.output, part_bytes);
  stage::launch(shape, sum_bytes_of_parts, request.frame, totals, request.output, part_bytes);
  stage::launch(shape, gather_bytes, request.frame, totals, request.output, request.status, part_bytes);
}

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode, scratch_bytes));

}  // namespace
}  // namespace gsst::tile_integer
