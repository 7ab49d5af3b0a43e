#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "common/format/tile_integer/for_rules.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "stages/tile_integer/shared/frame_part.cuh"
#include "stages/tile_integer/shared/raw_parts.cuh"
#include "stages/tile_integer/shared/warp_tile.cuh"

// How kernels are launched that decode a tile a warp. After launch.hpp, which gives them CUDA's words where
// the compiler has none.
namespace gsst::tile_integer {
namespace {

using WarpTileFunction = void (*)(stage::FrameOnDevice, std::uint8_t*, std::uint32_t*, WarpTileShape);

// For values of one size.
struct WarpTileKernel {
  // For frames at multiples of 16 bytes with an index at a multiple of 8.
  WarpTileFunction for_aligned;
  // For any frame.
  WarpTileFunction for_any;
};

// By the logarithm of the size of a value.
using WarpTileKernels = std::array<WarpTileKernel, 4>;

const stage::Parameter threads_parameter = {.name = "threads",
                                            .description = "threads of a thread block, 32 for each tile",
                                            .values = {64, 128, 256},
                                            .default_value = 64,
                                            .compile_time = false};

// Of a tile with 2 KiB of output. With more of it under way, a GPU's warps write in too many places at once.
inline std::uint32_t usual_packed_blocks(std::uint32_t value_bytes) {
  constexpr std::uint32_t usual_bytes = 2048;
  return usual_bytes / (format::tile_integer::packed_block_values * value_bytes);
}

inline void launch_raw_parts(const stage::DecodeRequest& request) {
  constexpr std::uint32_t part_bytes = 16384;
  stage::launch({.thread_blocks = parts_of(request.frame, part_bytes),
                 .threads_per_block = 256,
                 .shared_bytes = 0,
                 .stream = request.stream},
                has_aligned_index(request.frame) ? copy_raw_parts<true> : copy_raw_parts<false>,
                request.frame, request.output, request.status, part_bytes);
}

// Bytes of the pieces that hold `bytes`.
constexpr std::uint32_t whole_pieces(std::uint32_t bytes) {
  return (bytes + piece_bytes - 1) / piece_bytes * piece_bytes;
}

// Of a warp's part of shared memory, in bytes.
inline std::uint32_t warp_bytes_of(std::uint32_t value_bytes, std::uint32_t packed_blocks,
                                   format::tile_integer::Packing packing) {
  using namespace format::tile_integer;
  const std::uint32_t reference_words = value_bytes == 8 ? 2 : 1;
  const std::uint32_t bases = packing == Packing::chains ? packed_blocks / packed_blocks_of_chain : 0;
  const std::uint32_t tile_words =
      bases * reference_words +
      packed_blocks * (reference_words + 1 + miniblocks_of_packed_block * 8 * value_bytes);
  // The first word may be the last one of the first piece.
  const std::uint32_t pieces_bytes = whole_pieces(tile_words * word_bytes + piece_bytes - word_bytes);
  return bytes_before_pieces + whole_pieces(pieces_bytes + words_read_after_tile * word_bytes);
}

// Throws std::invalid_argument where a thread block cannot have that many bytes of shared memory. All GPUs
// have those up to which nobody asks.
inline void check_shared_bytes(const stage::Description& description, std::size_t bytes) {
  constexpr std::size_t always_there = std::size_t{48} * 1024;
  if (bytes <= always_there || bytes <= stage::max_shared_bytes()) return;
  throw std::invalid_argument("stage " + description.id + ": these tiles and threads need " +
                              std::to_string(bytes) + " bytes of shared memory; a thread block has " +
                              std::to_string(stage::max_shared_bytes()));
}

// Whether WarpTileKernel::for_aligned may decode the frame.
inline bool is_aligned(const stage::FrameOnDevice& frame) {
  return reinterpret_cast<std::uintptr_t>(frame.bytes) % piece_bytes == 0 && has_aligned_index(frame);
}

// Whether the frame may have a block of values of `value_bytes` bytes.
inline bool has_values_of(const stage::FrameOnDevice& frame, std::uint32_t value_bytes) {
  using namespace format::tile_integer;
  for (std::size_t number = 0; number < type_count; ++number) {
    const auto type = static_cast<Type>(number);
    if (shape_of(type).value_bytes == value_bytes && (frame.payload_traits & trait_of(type)) != 0)
      return true;
  }
  return false;
}

// Enqueues the decoding of all blocks by the stage of that description: a kernel for each size of a value
// that the frame has, most often one. `shape_of_tiles` makes the WarpTileShape for a number of bytes a value.
// Throws std::invalid_argument, which names the stage, where the device has too little shared memory for such
// tiles.
template <typename ShapeOfTiles>
void launch_tiles_of_shape(const stage::Description& description, const stage::DecodeRequest& request,
                           format::tile_integer::Packing packing, const WarpTileKernels& kernels,
                           ShapeOfTiles&& shape_of_tiles) {
  const stage::FrameOnDevice& frame = request.frame;
  const auto threads = static_cast<std::uint32_t>(
      stage::parameter_value(description, request.parameters, threads_parameter.name));
  const std::uint32_t warps = threads / lanes_of_warp;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const std::uint32_t value_bytes = 1U << i;
    if (!has_values_of(frame, value_bytes)) continue;
    const WarpTileShape shape = shape_of_tiles(value_bytes);
    const std::size_t shared_bytes = std::size_t{warps} * shape.warp_bytes;
    check_shared_bytes(description, shared_bytes);
    const std::uint64_t tile_bytes =
        std::uint64_t{shape.packed_blocks()} * format::tile_integer::values_of_unit(packing) * value_bytes;
    // Each block of the frame ends with a tile that may have fewer values, or none.
    const std::uint64_t tiles = frame.uncompressed_bytes / tile_bytes + frame.block_count;
    stage::launch({.thread_blocks = static_cast<unsigned>((tiles + warps - 1) / warps),
                   .threads_per_block = threads,
                   .shared_bytes = shared_bytes,
                   .stream = request.stream},
                  is_aligned(frame) ? kernels[i].for_aligned : kernels[i].for_any, frame, request.output,
                  request.status, shape);
  }
  if (frame.has_raw_blocks) launch_raw_parts(request);
}

// The same where a tile has packed blocks. `packed_blocks_of` says how many, a power of two, for a number of
// bytes a value.
template <typename PackedBlocksOf>
void launch_warp_tiles(const stage::Description& description, const stage::DecodeRequest& request,
                       format::tile_integer::Packing packing, const WarpTileKernels& kernels,
                       PackedBlocksOf&& packed_blocks_of) {
  launch_tiles_of_shape(description, request, packing, kernels, [&](std::uint32_t value_bytes) {
    const std::uint32_t packed_blocks = packed_blocks_of(value_bytes);
    return WarpTileShape{.log2_packed_blocks = static_cast<std::uint32_t>(std::countr_zero(packed_blocks)),
                         .warp_bytes = warp_bytes_of(value_bytes, packed_blocks, packing)};
  });
}

}  // namespace
}  // namespace gsst::tile_integer
