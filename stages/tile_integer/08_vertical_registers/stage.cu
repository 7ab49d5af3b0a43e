#include <cstddef>
#include <cstdint>
#include <memory>

#include "common/format/tile_integer/layouts.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/plans_of_stage.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/tile_integer/08_vertical_registers/kernel_1_tile_in_registers.cuh"
#include "stages/tile_integer/08_vertical_registers/kernel_2_value_by_value.cuh"
#include "stages/tile_integer/08_vertical_registers/kernel_3_own_words.cuh"
#include "stages/tile_integer/shared/host_partial_sums.cuh"

namespace gsst::tile_integer {
namespace {

using format::tile_integer::vfor_format;
static_assert(vertical_lanes == threads_of_partial_sums);

constexpr std::int64_t last_step = 3;

const stage::Description description = {
    .id = "tile_integer/08_vertical_registers",
    .base = "tile_integer/08_vertical",
    .title = "The vertical layout without writing: values stay in registers",
    .section = "tile-based paper, 4.3",
    .format = vfor_format,
    .operation = stage::Operation::query,
    .minimum_compute_capability = 80,
    .parameters = {{.name = "step",
                    .description = "step of the ladder, each a kernel: as those of 08_vertical",
                    .values = {1, 2, 3},
                    .default_value = last_step,
                    .compile_time = true}}};

struct VerticalSum {
  void (*kernel)(FrameOnDevice, PartialSums, std::uint32_t);
  std::size_t shared_bytes;
};

VerticalSum sum_of_step(std::int64_t step, const FrameOnDevice& frame) {
  const format::tile_integer::TypeShape largest = extreme_shape(frame, false);
  const std::size_t staged_bytes =
      format::tile_integer::word_bytes *
      (largest.reference_words + std::size_t{vertical_lanes} * largest.max_width());
  switch (step) {
    case 1:
      return {
          .kernel = registers_hold_a_tile::sum_vertical,
          .shared_bytes = bytes_of_partial_sums + registers_hold_a_tile::bytes_of_condition + staged_bytes};
    case 2:
      return {.kernel = registers_value_by_value::sum_vertical,
              .shared_bytes = bytes_of_partial_sums + staged_bytes};
    default:
      return {.kernel = registers_from_own_words::sum_vertical, .shared_bytes = bytes_of_partial_sums};
  }
}

std::unique_ptr<stage::Plan> plan_vertical_sum(const stage::QuerySubject& subject) {
  check_sum(description, subject);
  const std::int64_t step = stage::parameter_value(description, subject.parameters, "step");
  return std::make_unique<PartialSumPlan>(
      description, subject, [=](const FrameOnDevice& frame, const PartialSums& sums, stage::Stream stream) {
        const std::uint32_t part_bytes =
            part_bytes_of(frame, vertical_block_values / format::tile_integer::packed_block_values);
        const VerticalSum sum = sum_of_step(step, frame);
        stage::launch({.thread_blocks = parts_of(frame, part_bytes),
                       .threads_per_block = threads_of_partial_sums,
                       .shared_bytes = sum.shared_bytes,
                       .stream = stream},
                      sum.kernel, frame, sums, part_bytes);
      });
}

const stage::Registration registration(
    stage::this_executor, description,
    stage::QueryPlans{.reads = [](format::BlockFormat format) { return format == vfor_format; },
                      .make = plan_vertical_sum});

}  // namespace
}  // namespace gsst::tile_integer
