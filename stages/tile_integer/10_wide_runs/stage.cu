#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/tile_integer/10_wide_runs/kernel.cuh"
#include "stages/tile_integer/shared/host_warp_tiles.cuh"

namespace gsst::tile_integer::wide_runs {
namespace {

// More warps than the other wide tiles have in a thread block: here the warps' work differs, and the shared
// memory of one is large.
stage::Parameter threads_of_runs() {
  stage::Parameter threads = threads_parameter;
  threads.default_value = most_threads;
  return threads;
}

const stage::Description description = {
    .id = "tile_integer/10_wide_runs",
    .base = "tile_integer/10_wide_tiles",
    .title = "Past the paper: a warp expands runs by a byte a value",
    .section = "past the tile-based paper, 6",
    .format = format::tile_integer::rfor_format,
    .operation = stage::Operation::decode,
    .minimum_compute_capability = 80,
    .parameters = {{.name = "run_blocks_per_tile",
                    .description = "run blocks of 512 values of a warp; 0: those of 4 KiB of output, or 4",
                    .values = {0, 1, 2, 4},
                    .default_value = 0,
                    .compile_time = false},
                   threads_of_runs()}};

template <std::uint32_t ValueBytes>
constexpr WarpTileKernel kernel = {decode_run_blocks<ValueBytes, true>, decode_run_blocks<ValueBytes, false>};

std::uint32_t usual_run_blocks(std::uint32_t value_bytes) {
  constexpr std::uint32_t usual_bytes = 4096;
  return std::min(usual_bytes / (run_block_values * value_bytes), 4U);
}

// Of a warp's part of shared memory, in bytes, for tiles of run blocks of up to `run_block_words` words.
std::uint32_t bytes_of_warp(std::uint32_t value_bytes, std::uint32_t run_blocks,
                            std::uint32_t run_block_words) {
  using format::tile_integer::word_bytes;
  const std::uint32_t before_copy = value_bytes == 8 ? bytes_before_copy<8> : bytes_before_copy<4>;
  // The first word may be the last one of the first piece.
  const std::uint32_t pieces =
      whole_pieces(run_blocks * run_block_words * word_bytes + piece_bytes - word_bytes);
  const std::uint32_t bytes = before_copy + bytes_before_pieces + pieces + words_read_after_tile * word_bytes;
  // RunValues wants this.
  constexpr std::uint32_t alignment = runs_of_lane * sizeof(std::uint64_t);
  return (bytes + alignment - 1) / alignment * alignment;
}

void decode(const stage::DecodeRequest& request) {
  using namespace format::tile_integer;
  constexpr std::array types = {Type::i8, Type::i16, Type::i32, Type::i64};
  const std::int64_t chosen = stage::parameter_value(description, request.parameters, "run_blocks_per_tile");
  const std::uint32_t largest = most_run_block_words(request.frame.payload_traits);
  launch_tiles_of_shape(
      description, request, Packing::runs, {kernel<1>, kernel<2>, kernel<4>, kernel<8>},
      [&](std::uint32_t value_bytes) {
        const std::uint32_t run_blocks =
            chosen == 0 ? usual_run_blocks(value_bytes) : static_cast<std::uint32_t>(chosen);
        const auto size = static_cast<std::size_t>(std::countr_zero(value_bytes));
        const std::uint32_t words = std::min(largest, max_run_block_words(shape_of(types.at(size))));
        return WarpTileShape{.log2_packed_blocks = static_cast<std::uint32_t>(std::countr_zero(run_blocks)),
                             .warp_bytes = bytes_of_warp(value_bytes, run_blocks, words)};
      });
}

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode));

}  // namespace
}  // namespace gsst::tile_integer::wide_runs
