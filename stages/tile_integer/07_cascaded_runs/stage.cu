#include <array>
#include <cstddef>
#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
#include "common/stage/scratch_layout.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/tile_integer/07_cascaded_runs/kernel.cuh"
#include "stages/tile_integer/shared/host_whole_frame.cuh"

namespace gsst::tile_integer {
namespace {

const stage::Description description = {
    .id = "tile_integer/07_cascaded_runs",
    .base = "tile_integer/06_runs",
    .title = "Two layers of two streams and four steps in eight kernels: RLE+FOR+BitPack",
    .section = "tile-based paper, 3 and 9.2",
    .format = format::tile_integer::rfor_format,
    .operation = stage::Operation::decode,
    .minimum_compute_capability = 80,
    .parameters = {}};

RunLayers lay_out(stage::ScratchLayout& scratch, const stage::FrameOnDevice& frame) {
  const std::uint32_t least_value_bytes = extreme_shape(frame, true).value_bytes;
  const std::uint64_t bytes = output_bytes_of_whole_frame(description.id, frame);
  const std::uint64_t places = bytes / least_value_bytes;
  return {.run_values = scratch.take<std::uint8_t>(bytes),
          .lengths = scratch.take<std::uint32_t>(places),
          .runs = scratch.take<std::uint32_t>(places),
          .least_value_bytes = least_value_bytes};
}

std::size_t scratch_bytes(const stage::FrameOnDevice& frame) {
  stage::ScratchLayout scratch(nullptr);
  lay_out(scratch, frame);
  return scratch.bytes();
}

void decode(const stage::DecodeRequest& request) {
  struct Layer {
    void (*kernel)(stage::FrameOnDevice, RunLayers, std::uint32_t);
    std::size_t shared_bytes;
  };
  const std::size_t stream_bytes = stream_shared_bytes(request.frame);
  const std::array<Layer, 7> kernels = {{{unpack_values, stream_bytes},
                                         {add_reference_of_values, 0},
                                         {unpack_lengths, stream_bytes},
                                         {add_reference_of_lengths, 0},
                                         {sum_lengths, sum_shared_bytes},
                                         {mark_runs, 0},
                                         {number_runs, sum_shared_bytes}}};
  stage::ScratchLayout scratch(static_cast<std::uint8_t*>(request.scratch));
  const RunLayers layers = lay_out(scratch, request.frame);
  const std::uint32_t part_bytes =
      part_bytes_of(request.frame, run_block_values / format::tile_integer::packed_block_values);
  stage::LaunchShape shape = {.thread_blocks = parts_of(request.frame, part_bytes),
                              .threads_per_block = threads_of_run_block,
                              .shared_bytes = 0,
                              .stream = request.stream};
  for (const Layer& layer : kernels) {
    shape.shared_bytes = layer.shared_bytes;
    stage::launch(shape, layer.kernel, request.frame, layers, part_bytes);
  }
  shape.shared_bytes = 0;
  stage::launch(shape, expand_runs, request.frame, layers, request.output, request.status, part_bytes);
}

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode, scratch_bytes));

}  // namespace
}  // namespace gsst::tile_integer
