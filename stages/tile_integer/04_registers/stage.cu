#include <cstddef>
#include <cstdint>
#include <memory>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/plans_of_stage.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/tile_integer/04_registers/kernel_1_global.cuh"
#include "stages/tile_integer/04_registers/kernel_2_shared_memory.cuh"
#include "stages/tile_integer/04_registers/kernel_3_many_blocks.cuh"
#include "stages/tile_integer/04_registers/kernel_4_miniblock_offsets.cuh"
#include "stages/tile_integer/shared/host_partial_sums.cuh"

namespace gsst::tile_integer {
namespace {

using format::tile_integer::for_format;
using format::tile_integer::miniblocks_of_packed_block;

constexpr std::int64_t last_step = 4;

const stage::Description description = {
    .id = "tile_integer/04_registers",
    .base = "tile_integer/04_miniblock_offsets",
    .title = "Stages 01 to 04 without writing: values stay in registers",
    .section = "tile-based paper, 4.2",
    .format = for_format,
    .operation = stage::Operation::query,
    .minimum_compute_capability = 80,
    .parameters = {{.name = "step",
                    .description = "step of the ladder, each a kernel: as the stage of that number",
                    .values = {1, 2, 3, 4},
                    .default_value = last_step,
                    .compile_time = true},
                   {.name = "blocks_per_tile",
                    .description = "packed blocks of a thread block in steps 3 and 4, the paper's D",
                    .values = {1, 2, 4, 8, 16, 32},
                    .default_value = 4,
                    .compile_time = false}}};

// A thread block for each packed block.
void sum_packed_blocks(std::int64_t step, const FrameOnDevice& frame, const PartialSums& sums,
                       stage::Stream stream) {
  const std::uint32_t part_bytes = part_bytes_of(frame, 1);
  const bool is_staged = step == 2;
  stage::launch({.thread_blocks = parts_of(frame, part_bytes),
                 .threads_per_block = threads_of_partial_sums,
                 .shared_bytes = bytes_of_partial_sums + (is_staged ? most_staged_bytes(frame) : 0),
                 .stream = stream},
                is_staged ? registers_from_shared_memory::sum_values : registers_from_global::sum_values,
                frame, sums, part_bytes);
}

// A thread block for each tile.
void sum_tiles_of_blocks(std::int64_t step, std::uint32_t blocks_of_tile, const FrameOnDevice& frame,
                         const PartialSums& sums, stage::Stream stream) {
  const std::uint32_t part_bytes = part_bytes_of(frame, blocks_of_tile);
  const bool has_miniblocks = step == last_step;
  const std::size_t miniblocks_bytes =
      has_miniblocks ? std::size_t{blocks_of_tile} * miniblocks_of_packed_block * sizeof(Miniblock) : 0;
  stage::launch(
      {.thread_blocks = parts_of(frame, part_bytes),
       .threads_per_block = threads_of_partial_sums,
       .shared_bytes = bytes_of_partial_sums + miniblocks_bytes + staged_tile_bytes(frame, blocks_of_tile),
       .stream = stream},
      has_miniblocks ? registers_of_miniblocks::sum_tiles : registers_of_many_blocks::sum_tiles, frame, sums,
      part_bytes, blocks_of_tile);
}

std::unique_ptr<stage::Plan> plan_sum(const stage::QuerySubject& subject) {
  check_sum(description, subject);
  const std::int64_t step = stage::parameter_value(description, subject.parameters, "step");
  const auto blocks_of_tile =
      static_cast<std::uint32_t>(stage::parameter_value(description, subject.parameters, "blocks_per_tile"));
  return std::make_unique<PartialSumPlan>(
      description, subject, [=](const FrameOnDevice& frame, const PartialSums& sums, stage::Stream stream) {
        if (step <= 2) {
          sum_packed_blocks(step, frame, sums, stream);
        } else {
          sum_tiles_of_blocks(step, blocks_of_tile, frame, sums, stream);
        }
      });
}

const stage::Registration registration(
    stage::this_executor, description,
    stage::QueryPlans{.reads = [](format::BlockFormat format) { return format == for_format; },
                      .make = plan_sum});

}  // namespace
}  // namespace gsst::tile_integer
