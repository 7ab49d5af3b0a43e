#include <cstddef>
#include <cstdint>

#include "common/format/tile_integer/delta_nsf.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/tile_integer/07_delta_nsf/kernel.cuh"
#include "stages/tile_integer/shared/host_whole_frame.cuh"

namespace gsst::tile_integer {
namespace {

const stage::Description description = {.id = "tile_integer/07_delta_nsf",
                                        .base = "tile_integer/07_nsf",
                                        .title = "Differences of neighbours in whole bytes, DELTA+NSF",
                                        .section = "tile-based paper, 2.2 and 9.4",
                                        .format = format::tile_integer::delta_nsf_format,
                                        .operation = stage::Operation::decode,
                                        .minimum_compute_capability = 80,
                                        .parameters = {}};

std::uint32_t delta_nsf_part_bytes(const stage::FrameOnDevice& frame) {
  return differences_of_part * extreme_shape(frame, true).value_bytes;
}

std::size_t scratch_bytes(const stage::FrameOnDevice& frame) {
  output_bytes_of_whole_frame(description.id, frame);
  return parts_of(frame, delta_nsf_part_bytes(frame)) * sizeof(std::uint64_t);
}

void decode(const stage::DecodeRequest& request) {
  const std::uint32_t part_bytes = delta_nsf_part_bytes(request.frame);
  auto* const totals = static_cast<std::uint64_t*>(request.scratch);
  const stage::LaunchShape shape = {.thread_blocks = parts_of(request.frame, part_bytes),
                                    .threads_per_block = delta_nsf_threads,
                                    .shared_bytes = delta_nsf_shared_bytes,
                                    .stream = request.stream};
  stage::launch(shape, total_differences, request.frame, totals, request.output, part_bytes);
  stage::launch(shape, sum_differences_of_parts, request.frame, totals, request.output, part_bytes);
  stage::launch(shape, add_differences, request.frame, totals, request.output, request.status, part_bytes);
}

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode, scratch_bytes));

}  // namespace
}  // namespace gsst::tile_integer
