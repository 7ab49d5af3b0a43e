#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/gzip/checksum_check.hpp"
#include "stages/codag/gzip/checksum_pieces.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// Adler-32 (RFC 1950, section 9) is two sums modulo 65521: of the bytes, and of the bytes times how many
// bytes it is from each to the end, itself among them. Both are sums of those of pieces.
namespace gsst::codag::gzip {
namespace {

constexpr std::uint32_t adler32_modulus = 65521;

// Both sums, each below the modulus, the second one in the higher half: as the checksum has them.
__device__ inline std::uint32_t adler32_word(std::uint32_t bytes, std::uint32_t weighted) {
  return weighted << 16 | bytes;
}

// The sum of the lanes' numbers modulo the modulus, in all lanes of a warp. Each is below the modulus.
__device__ inline std::uint32_t adler32_sum_of_lanes(std::uint32_t number) {
  for (std::uint32_t step = lanes_of_warp / 2; step > 0; step /= 2) {
    number += __shfl_xor_sync(every_lane, number, static_cast<int>(step));
  }
  return number % adler32_modulus;
}

// A warp a piece: what it adds to the sums of its block. Of a block that was not decoded nothing is read:
// what a decoder leaves of it may never have been written.
__global__ void sum_adler32_pieces(ChecksumCheck check) {
  const std::uint32_t number = blockIdx.x * checksum_warps + threadIdx.x / lanes_of_warp;
  if (number >= check.piece_count) return;
  const ChecksumPiece piece = check.pieces[number];
  if (check.status[piece.block] != 0) return;
  const PieceRows rows(CheckedBlock(check, piece.block), piece);
  // A piece has 257 rows at most, so none of these comes near 2^32.
  std::uint32_t bytes = 0;
  std::uint32_t times_rows = 0;
  std::uint32_t times_place = 0;
  take_words(rows, [&](std::uint32_t word) {
    const std::uint32_t second = word >> 8 & 0xff;
    const std::uint32_t third = word >> 16 & 0xff;
    const std::uint32_t fourth = word >> 24;
    bytes += (word & 0xff) + second + third + fourth;
    // A byte of the last row is added once, one of the row before twice.
    times_rows += bytes;
    times_place += second + 2 * third + 3 * fourth;
  });
  // To the end of the last row.
  const std::uint64_t weighted = std::uint64_t{times_rows} * checksum_row_bytes -
                                 std::uint64_t{bytes} * (4 * lane_number()) - times_place;
  const std::uint32_t bytes_of_piece = adler32_sum_of_lanes(bytes % adler32_modulus);
  const std::uint32_t weighted_of_piece =
      adler32_sum_of_lanes(static_cast<std::uint32_t>(weighted % adler32_modulus));
  // To the end of the block.
  const std::uint32_t further = rows.after % adler32_modulus + adler32_modulus - rows.past_end;
  const auto weighted_in_block = static_cast<std::uint32_t>(
      (weighted_of_piece + std::uint64_t{bytes_of_piece} * further) % adler32_modulus);
  if (lane_number() == 0) check.piece_terms[number] = adler32_word(bytes_of_piece, weighted_in_block);
}

// A warp a block.
__global__ void compare_adler32(ChecksumCheck check) {
  const std::uint32_t number = blockIdx.x * checksum_warps + threadIdx.x / lanes_of_warp;
  if (number >= check.block_count || check.status[number] != 0) return;
  const CheckedBlock block(check, number);
  // Of 4 GiB a lane has 4096 pieces.
  std::uint32_t bytes = 0;
  std::uint32_t weighted = 0;
  for (std::uint32_t i = check.first_piece[number] + lane_number(); i < check.first_piece[number + 1];
       i += lanes_of_warp) {
    bytes += check.piece_terms[i] & 0xffff;
    weighted += check.piece_terms[i] >> 16;
  }
  // The first sum begins with 1, which the second one has once for each byte.
  bytes = (1 + adler32_sum_of_lanes(bytes % adler32_modulus)) % adler32_modulus;
  weighted =
      (block.bytes % adler32_modulus + adler32_sum_of_lanes(weighted % adler32_modulus)) % adler32_modulus;
  // All lanes have read the status.
  __syncwarp();
  if (lane_number() == 0) compare_checksum(check, number, block, adler32_word(bytes, weighted));
}

}  // namespace
}  // namespace gsst::codag::gzip
