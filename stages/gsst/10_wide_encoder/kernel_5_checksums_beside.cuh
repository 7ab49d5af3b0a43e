#pragma once

#include <cstdint>

#include "stages/gsst/10_wide_encoder/kernel_4_hashed_pairs.cuh"

// Checksums are made beside the encoding, by a kernel of a few warps on each multiprocessor, on a stream of
// its own. It waits for memory and for its own chains of operations, and leaves the rest to the warps that
// encode.
namespace {

// One warp for each of a multiprocessor's four schedulers.
constexpr unsigned checksum_threads = 128;
// Warps that encode, at most, where others make checksums or copy: with 20 encoding and checksums together
// take longer. There is room for three of the others on each scheduler, with 32 registers: what 16 thread
// blocks would have each.
constexpr unsigned warps_beside_others = 16;
constexpr unsigned checksum_blocks_beside = 3;
constexpr unsigned checksum_blocks_with_room = 16;
// So few words on their way to each lane are enough from L2 on, where the prefetches bring them.
constexpr unsigned checksum_loads = 4;

// All lanes of a warp: asks for the pieces that checksum_pieces_of_warp() takes from `first` on.
__device__ inline void prefetch_pieces(const FrameParts& parts, std::uint64_t first, std::uint64_t end) {
  const InputPiece piece = checksum_piece_of_lane(parts, first, end);
  for (std::uint32_t byte = threadIdx.x % checksum_lanes * line_bytes; byte < piece.size;
       byte += checksum_lanes * line_bytes) {
    prefetch(piece.bytes + byte);
  }
}

// Any number of whole warps. Those that run at the same time read from the same part of the input.
__global__ void __launch_bounds__(checksum_threads, checksum_blocks_with_room)
    checksum_pieces_beside(EncodeJob job) {
  const FrameParts& parts = job.parts;
  const std::uint64_t pieces = all_checksum_pieces(parts);
  const std::uint64_t warp = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x / 32 * pieces_of_warp;
  for (std::uint64_t first = warp * pieces_of_warp; first < pieces; first += stride) {
    prefetch_pieces(parts, first + stride, pieces);
    checksum_pieces_of_warp<checksum_loads>(parts, first, pieces);
  }
}

}  // namespace
