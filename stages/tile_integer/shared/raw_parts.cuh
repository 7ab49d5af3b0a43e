#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"
#include "stages/tile_integer/shared/load_block.cuh"

// Raw blocks, where a kernel of their own copies them.
namespace gsst::tile_integer {
namespace {

// 16 bytes that a thread copies at once.
struct alignas(16) RawPiece {
  std::uint32_t words[4];
};

// All threads of a block: `bytes` bytes in pieces of the size of `Piece`, and the last bytes by themselves.
// Both addresses are multiples of its size.
template <typename Piece>
__device__ inline void copy_pieces(std::uint8_t* to, const std::uint8_t* from, std::uint32_t bytes) {
  const std::uint32_t pieces = bytes / sizeof(Piece);
  for (std::uint32_t piece = threadIdx.x; piece < pieces; piece += blockDim.x) {
    reinterpret_cast<Piece*>(to)[piece] = reinterpret_cast<const Piece*>(from)[piece];
  }
  const std::uint32_t byte = pieces * static_cast<std::uint32_t>(sizeof(Piece)) + threadIdx.x;
  if (byte < bytes) to[byte] = from[byte];
}

// Thread blocks of at least 16 threads, parts_of() of them, copy the raw blocks and report these as decoded.
// `IsAligned` as has_aligned_index() says.
template <bool IsAligned>
__global__ void copy_raw_parts(stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status,
                               std::uint32_t part_bytes) {
  // No block is larger than the first, which has bytes unless the frame was refused in the executor's memory.
  const std::uint32_t most_bytes = load_block<IsAligned>(frame, 0, output).uncompressed_bytes;
  const std::uint32_t parts_of_block = most_bytes == 0 ? 1 : (most_bytes + part_bytes - 1) / part_bytes;
  const std::uint32_t block_number = blockIdx.x / parts_of_block;
  if (block_number >= frame.block_count) return;
  const stage::BlockOnDevice block = load_block<IsAligned>(frame, block_number, output);
  if (block.layout != format::BlockLayout::raw) return;
  const std::uint32_t number = blockIdx.x % parts_of_block;
  if (number == 0 && threadIdx.x == 0) status[block_number] = 0;
  const std::uint64_t begin = std::uint64_t{number} * part_bytes;
  if (begin >= block.uncompressed_bytes) return;
  const std::uint64_t left = block.uncompressed_bytes - begin;
  const auto bytes = static_cast<std::uint32_t>(left < part_bytes ? left : part_bytes);
  std::uint8_t* const to = block.output + begin;
  const std::uint8_t* const from = block.payload + begin;
  const std::uintptr_t addresses =
      reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from);
  if (addresses % sizeof(RawPiece) == 0) {
    copy_pieces<RawPiece>(to, from, bytes);
  } else if (addresses % sizeof(std::uint32_t) == 0) {
    copy_pieces<std::uint32_t>(to, from, bytes);
  } else {
    copy_pieces<std::uint8_t>(to, from, bytes);
  }
}

}  // namespace
}  // namespace gsst::tile_integer
