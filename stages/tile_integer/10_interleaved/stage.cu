#include <array>
#include <cstddef>
#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/tile_integer/10_interleaved/kernel.cuh"
#include "stages/tile_integer/shared/host_warp_tiles.cuh"

namespace gsst::tile_integer {
namespace {

const stage::Description description = {
    .id = "tile_integer/10_interleaved",
    .base = "tile_integer/10_wide_tiles",
    .title = "Past the paper: interleaved words, which lanes read without shared memory",
    .section = "past the tile-based paper, 4.3",
    .format = format::tile_integer::ifor_format,
    .operation = stage::Operation::decode,
    .minimum_compute_capability = 80,
    .parameters = {{.name = "threads",
                    .description = "threads of a thread block, 32 for each interleaved block",
                    .values = {64, 128, 256},
                    .default_value = 128,
                    .compile_time = false}}};

using InterleavedKernel = void (*)(stage::FrameOnDevice, std::uint8_t*, std::uint32_t*);

// For frames that are aligned, and for any.
template <std::uint32_t ValueBytes>
constexpr std::array<InterleavedKernel, 2> kernels_of = {decode_interleaved<ValueBytes, true>,
                                                         decode_interleaved<ValueBytes, false>};

// By the logarithm of the size of a value.
constexpr std::array<std::array<InterleavedKernel, 2>, 4> all_kernels = {kernels_of<1>, kernels_of<2>,
                                                                         kernels_of<4>, kernels_of<8>};

void decode(const stage::DecodeRequest& request) {
  const stage::FrameOnDevice& frame = request.frame;
  const auto threads =
      static_cast<std::uint32_t>(stage::parameter_value(description, request.parameters, "threads"));
  const std::uint32_t warps = threads / lanes_of_warp;
  for (std::size_t i = 0; i < all_kernels.size(); ++i) {
    const std::uint32_t value_bytes = 1U << i;
    if (!has_values_of(frame, value_bytes)) continue;
    // Each block of the frame ends with an interleaved block that may have fewer values, or none.
    const std::uint64_t units =
        frame.uncompressed_bytes / (std::uint64_t{interleaved_block_values} * value_bytes) +
        frame.block_count;
    stage::launch({.thread_blocks = static_cast<unsigned>((units + warps - 1) / warps),
                   .threads_per_block = threads,
                   .shared_bytes = 0,
                   .stream = request.stream},
                  all_kernels[i][is_aligned(frame) ? 0 : 1], frame, request.output, request.status);
  }
  if (frame.has_raw_blocks) launch_raw_parts(request);
}

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode));

}  // namespace
}  // namespace gsst::tile_integer
