#include <cstddef>
#include <cstdint>

#include "common/format/tile_integer/layouts.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/tile_integer/08_vertical/kernel_1_tile_in_registers.cuh"
#include "stages/tile_integer/08_vertical/kernel_2_value_by_value.cuh"
#include "stages/tile_integer/08_vertical/kernel_3_own_words.cuh"

namespace gsst::tile_integer {
namespace {

constexpr std::int64_t last_step = 3;

const stage::Description description = {
    .id = "tile_integer/08_vertical",
    .base = "tile_integer/04_miniblock_offsets",
    .title = "What the paper rejects: 128 lanes of 32 values, GPU-SIMDBP128",
    .section = "tile-based paper, 4.3",
    .format = format::tile_integer::vfor_format,
    .operation = stage::Operation::decode,
    .minimum_compute_capability = 80,
    .parameters = {{.name = "step",
                    .description = "step of the ladder, each a kernel",
                    .values = {1, 2, 3},
                    .default_value = last_step,
                    .compile_time = true}}};

using VerticalKernel = void (*)(stage::FrameOnDevice, std::uint8_t*, std::uint32_t*, std::uint32_t);

template <typename Number>
VerticalKernel kernel_of_step(std::int64_t step) {
  switch (step) {
    case 1:
      return tile_in_registers::decode_vertical<Number>;
    case 2:
      return value_by_value::decode_vertical<Number>;
    default:
      return own_words::decode_vertical<Number>;
  }
}

void decode(const stage::DecodeRequest& request) {
  const std::int64_t step = stage::parameter_value(description, request.parameters, "step");
  const std::uint32_t part_bytes =
      part_bytes_of(request.frame, vertical_block_values / format::tile_integer::packed_block_values);
  const format::tile_integer::TypeShape largest = extreme_shape(request.frame, false);
  const std::size_t staged_bytes =
      format::tile_integer::word_bytes *
      (largest.reference_words + std::size_t{vertical_lanes} * largest.max_width());
  stage::launch({.thread_blocks = parts_of(request.frame, part_bytes),
                 .threads_per_block = vertical_lanes,
                 .shared_bytes = step == last_step ? 0 : staged_bytes,
                 .stream = request.stream},
                largest.value_bytes > sizeof(std::uint32_t) ? kernel_of_step<std::uint64_t>(step)
                                                            : kernel_of_step<std::uint32_t>(step),
                request.frame, request.output, request.status, part_bytes);
}

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode));

}  // namespace
}  // namespace gsst::tile_integer
