#include <array>
#include <cstddef>
#include <cstdint>

#include "common/format/tile_integer/run_lengths.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
#include "common/stage/scratch_layout.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/tile_integer/07_rle/kernel.cuh"
#include "stages/tile_integer/shared/host_whole_frame.cuh"

namespace gsst::tile_integer {
namespace {

const stage::Description description = {.id = "tile_integer/07_rle",
                                        .base = "tile_integer/07_cascaded_runs",
                                        .title = "What runs are compared with: runs of a whole block, RLE",
                                        .section = "tile-based paper, 6 and 9.3",
                                        .format = format::tile_integer::rle_format,
                                        .operation = stage::Operation::decode,
                                        .minimum_compute_capability = 80,
                                        .parameters = {}};

std::uint32_t rle_part_bytes(const stage::FrameOnDevice& frame) {
  return rle_numbers_of_part * extreme_shape(frame, true).value_bytes;
}

RleLayers lay_out(stage::ScratchLayout& scratch, const stage::FrameOnDevice& frame) {
  const std::uint32_t least_value_bytes = extreme_shape(frame, true).value_bytes;
  const std::uint64_t bytes = output_bytes_of_whole_frame(description.id, frame);
  return {.marks = scratch.take<std::uint8_t>(bytes / least_value_bytes),
          .totals = scratch.take<std::uint32_t>(parts_of(frame, rle_part_bytes(frame))),
          .least_value_bytes = least_value_bytes};
}

std::size_t scratch_bytes(const stage::FrameOnDevice& frame) {
  stage::ScratchLayout scratch(nullptr);
  lay_out(scratch, frame);
  return scratch.bytes();
}

void decode(const stage::DecodeRequest& request) {
  constexpr std::array kernels = {total_lengths, sum_totals, mark_begins, total_marks, sum_totals};
  stage::ScratchLayout scratch(static_cast<std::uint8_t*>(request.scratch));
  const RleLayers layers = lay_out(scratch, request.frame);
  const std::uint32_t part_bytes = rle_part_bytes(request.frame);
  const stage::LaunchShape shape = {.thread_blocks = parts_of(request.frame, part_bytes),
                                    .threads_per_block = rle_threads,
                                    .shared_bytes = rle_shared_bytes,
                                    .stream = request.stream};
  for (const auto kernel : kernels) {
    stage::launch(shape, kernel, request.frame, layers, request.output, part_bytes);
  }
  stage::launch(shape, gather_values, request.frame, layers, request.output, request.status, part_bytes);
}

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode, scratch_bytes));

}  // namespace
}  // namespace gsst::tile_integer
