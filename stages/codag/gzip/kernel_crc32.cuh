#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/codag/gzip/checksum_check.hpp"
#include "stages/codag/gzip/checksum_pieces.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// A CRC is linear: that of a block is the sum of those of its words, each times x to the number of bits that
// follow the word's first.
namespace gsst::codag::gzip {
namespace {

// The sum of the lanes' words, in all lanes of a warp.
__device__ inline std::uint32_t sum_of_lanes(std::uint32_t word) {
  for (std::uint32_t step = lanes_of_warp / 2; step > 0; step /= 2) {
    word ^= __shfl_xor_sync(every_lane, word, static_cast<int>(step));
  }
  return word;
}

// x^exponent, in all lanes of a warp: each has the power of one bit of the exponent.
__device__ inline std::uint32_t power_of_x(const ChecksumCheck& check, std::uint64_t exponent) {
  const std::uint32_t lane = lane_number();
  const auto bits = static_cast<std::uint32_t>(exponent % crc32_order);
  std::uint32_t product = (bits >> lane & 1) != 0 ? check.tables->power[lane] : crc32_one;
  for (std::uint32_t step = lanes_of_warp / 2; step > 0; step /= 2) {
    product = crc32_product(product, __shfl_xor_sync(every_lane, product, static_cast<int>(step)));
  }
  return product;
}

using RowTables = std::uint32_t[4][256];

__device__ inline std::uint32_t a_row_on(const RowTables& row, std::uint32_t sum) {
  return row[0][sum & 0xff] ^ row[1][sum >> 8 & 0xff] ^ row[2][sum >> 16 & 0xff] ^ row[3][sum >> 24];
}

// The sum of the words of a piece, times x to the bits from each to the end of the last row. All lanes of a
// warp.
__device__ inline std::uint32_t crc32_of_rows(const RowTables& row, const ChecksumCheck& check,
                                              const PieceRows& rows) {
  std::uint32_t sum = 0;
  take_words(rows, [&](std::uint32_t word) { sum = a_row_on(row, sum) ^ word; });
  return sum_of_lanes(crc32_product(sum, check.tables->to_end_of_row[lane_number()]));
}

// A warp a piece: what it adds to the CRC of its block. Of a block that was not decoded nothing is read: what
// a decoder leaves of it may never have been written.
__global__ void sum_crc32_pieces(ChecksumCheck check) {
  GSST_SHARED_MEMORY(memory);
  auto& row = *reinterpret_cast<RowTables*>(memory);
  for (std::uint32_t i = threadIdx.x; i < 4 * 256; i += checksum_threads) {
    row[i / 256][i % 256] = check.tables->row[i / 256][i % 256];
  }
  __syncthreads();
  const std::uint32_t number = blockIdx.x * checksum_warps + threadIdx.x / lanes_of_warp;
  if (number >= check.piece_count) return;
  const ChecksumPiece piece = check.pieces[number];
  if (check.status[piece.block] != 0) return;
  const PieceRows rows(CheckedBlock(check, piece.block), piece);
  // The last row ends so many bytes after the piece, which times x^-1 takes away.
  const std::uint64_t exponent =
      crc32_order + std::uint64_t{8} * rows.after - std::uint64_t{8} * rows.past_end;
  const std::uint32_t sum = crc32_of_rows(row, check, rows);
  const std::uint32_t factor = power_of_x(check, exponent);
  if (lane_number() == 0) check.piece_terms[number] = crc32_product(sum, factor);
}

// A warp a block.
__global__ void compare_crc32(ChecksumCheck check) {
  const std::uint32_t number = blockIdx.x * checksum_warps + threadIdx.x / lanes_of_warp;
  if (number >= check.block_count || check.status[number] != 0) return;
  const CheckedBlock block(check, number);
  std::uint32_t sum = 0;
  for (std::uint32_t i = check.first_piece[number] + lane_number(); i < check.first_piece[number + 1];
       i += lanes_of_warp) {
    sum ^= check.piece_terms[i];
  }
  // The complement of the first four bytes comes in front of all.
  const std::uint32_t factor = power_of_x(check, std::uint64_t{8} * block.bytes);
  const std::uint32_t crc = sum_of_lanes(sum) ^ crc32_product(crc32_complement, factor) ^ crc32_complement;
  // All lanes have read the status.
  __syncwarp();
  if (lane_number() == 0) compare_checksum(check, number, block, crc);
}

}  // namespace
}  // namespace gsst::codag::gzip
