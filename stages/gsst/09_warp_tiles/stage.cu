#include <stdexcept>

#include "common/stage/compile_time_choice.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/gsst/09_warp_tiles/kernel_7_half_stages.cuh"

namespace {

constexpr std::int64_t last_step = 7;

std::size_t counter_bytes(const FrameOnDevice& frame) {
  return (std::size_t{frame.block_count} + 1) * sizeof(unsigned);
}

const gsst::stage::Description description = {
    .id = "gsst/09_warp_tiles",
    .base = "gsst/07_tuned",
    .title = "Beyond the thesis: a warp decodes a tile of codes that name their lengths",
    .section = "7.2.1",
    .format = gsst::format::BlockFormat::tiles,
    .operation = gsst::stage::Operation::decode,
    .minimum_compute_capability = 80,
    .parameters = {{.name = "step",
                    .description =
                        "step of the ladder, each a kernel; those before the last take 8-bit codes "
                        "with 32 codes a lane only",
                    .values = {7},
                    .default_value = last_step,
                    .compile_time = true},
                   {.name = "thread_blocks",
                    .description = "thread blocks; 0: as many as the GPU runs at the same time",
                    .values = {0, 1, 2, 3, 33, 66},
                    .default_value = 0,
                    .compile_time = false}},
    .scratch_bytes = counter_bytes,
};

using Kernel = void (*)(FrameOnDevice, std::uint8_t*, std::uint32_t*, Counters);

// A kernel with the launch that it needs.
struct Step {
  Kernel kernel;
  unsigned threads;
  std::size_t shared_bytes;
};

// The last step for codes of this shape.
template <int CodeBits, int CodesPerLane>
Step last_step_of_shape() {
  return {.kernel = half_stages::decode_tiles<CodeBits, CodesPerLane>,
          .threads = half_stages::warps<CodeBits, CodesPerLane> * 32,
          .shared_bytes = half_stages::shared_limit};
}

Step choose_step(std::int64_t step, const TileShape& shape) {
  if (step != last_step && shape.codes_per_lane != 32) {
    throw std::invalid_argument("stage " + description.id + ": step " + std::to_string(step) +
                                " decodes 8-bit codes with 32 codes a lane, the frame has others");
  }
  Step chosen{};
  gsst::stage::choose<8, 10, 12>(shape.code_bits, [&](auto code_bits) {
    gsst::stage::choose<16, 24, 32>(shape.codes_per_lane, [&](auto codes_per_lane) {
      chosen = last_step_of_shape<code_bits(), codes_per_lane()>();
    });
  });
  return chosen;
}

void launch_step(const gsst::stage::DecodeRequest& request, const Step& step, unsigned thread_blocks) {
  gsst::stage::clear(request.scratch, counter_bytes(request.frame), request.stream);
  const unsigned chosen_blocks =
      thread_blocks != 0 ? thread_blocks
                         : gsst::stage::resident_thread_blocks(step.threads, step.shared_bytes, step.kernel);
  gsst::stage::launch({.thread_blocks = chosen_blocks,
                       .threads_per_block = step.threads,
                       .shared_bytes = step.shared_bytes,
                       .stream = request.stream},
                      step.kernel, request.frame, request.output, request.status,
                      Counters{.words = static_cast<unsigned*>(request.scratch)});
}

void decode(const gsst::stage::DecodeRequest& request) {
  gsst::stage::clear(request.status, request.frame.block_count * sizeof(std::uint32_t), request.stream);
  const std::int64_t step = parameter_value(description, request.parameters, "step");
  const auto thread_blocks =
      static_cast<unsigned>(parameter_value(description, request.parameters, "thread_blocks"));
  for (const std::uint32_t code_bits : {8u, 10u, 12u}) {
    for (const std::uint32_t codes_per_lane : {16u, 24u, 32u}) {
      const TileShape shape{.code_bits = code_bits, .codes_per_lane = codes_per_lane};
      if ((request.frame.tile_shapes & gsst::stage::tile_shape_bit(shape)) == 0) continue;
      launch_step(request, choose_step(step, shape), thread_blocks);
    }
  }
  if (!request.frame.has_raw_blocks) return;
  gsst::stage::launch({.thread_blocks = request.frame.block_count < 1024 ? request.frame.block_count : 1024,
                       .threads_per_block = 256,
                       .shared_bytes = 0,
                       .stream = request.stream},
                      copy_raw_blocks, request.frame, request.output);
}

const gsst::stage::Registration registration(gsst::stage::this_executor, description, decode);

}  // namespace
