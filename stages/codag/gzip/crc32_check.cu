#include "stages/codag/gzip/crc32_check.hpp"

#include "common/format/block_status.hpp"
#include "common/frame/index_entry.hpp"
#include "common/stage/copies.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
// After launch.hpp, which gives kernels CUDA's words where the compiler has none.
#include "stages/codag/shared/warp_lanes.cuh"

// A CRC is linear: that of a block is the sum of those of its words, each times x to the number of bits that
// follow the word's first.
namespace gsst::codag::gzip {
namespace {

constexpr unsigned crc32_threads = 128;
constexpr unsigned crc32_warps = crc32_threads / lanes_of_warp;
constexpr std::uint32_t words_at_once = 8;

// Of a block in the index.
struct CheckedBlock {
  __device__ CheckedBlock(const Crc32Check& check, std::uint32_t block)
      : entry(check.index + std::uint64_t{block} * format::index_entry_bytes),
        output(check.output + entry.uncompressed_offset()),
        bytes(entry.uncompressed_bytes()) {}

  __device__ std::uint32_t stored_crc() const {
    return static_cast<std::uint32_t>(format::load_little_endian<4>(entry.record() + 16));
  }

  format::IndexEntryFields entry;
  const std::uint8_t* output;
  std::uint32_t bytes;
};

// The sum of the lanes' words, in all lanes of a warp.
__device__ inline std::uint32_t sum_of_lanes(std::uint32_t word) {
  for (std::uint32_t step = lanes_of_warp / 2; step > 0; step /= 2) {
    word ^= __shfl_xor_sync(every_lane, word, static_cast<int>(step));
  }
  return word;
}

// x^exponent, in all lanes of a warp: each has the power of one bit of the exponent.
__device__ inline std::uint32_t power_of_x(const Crc32Check& check, std::uint64_t exponent) {
  const std::uint32_t lane = lane_number();
  const auto bits = static_cast<std::uint32_t>(exponent % crc32_order);
  std::uint32_t product = (bits >> lane & 1) != 0 ? check.tables->power[lane] : crc32_one;
  for (std::uint32_t step = lanes_of_warp / 2; step > 0; step /= 2) {
    product = crc32_product(product, __shfl_xor_sync(every_lane, product, static_cast<int>(step)));
  }
  return product;
}

// The word at an address that is a multiple of 4, with 0 for bytes that are not from `begin` to `end`.
__device__ inline std::uint32_t word_within(const std::uint8_t* address, const std::uint8_t* begin,
                                            const std::uint8_t* end) {
  if (address >= begin && address + 4 <= end) return *reinterpret_cast<const std::uint32_t*>(address);
  std::uint32_t word = 0;
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (address + i >= begin && address + i < end) word |= std::uint32_t{address[i]} << 8 * i;
  }
  return word;
}

using RowTables = std::uint32_t[4][256];

__device__ inline std::uint32_t a_row_on(const RowTables& row, std::uint32_t sum) {
  return row[0][sum & 0xff] ^ row[1][sum >> 8 & 0xff] ^ row[2][sum >> 16 & 0xff] ^ row[3][sum >> 24];
}

// The sum of the words of the rows from `begin` to `end`, times x to the bits from each to the end of the
// last row. All lanes of a warp: neighbours read neighbours.
__device__ inline std::uint32_t crc32_of_rows(const RowTables& row, const Crc32Check& check,
                                              const std::uint8_t* begin, const std::uint8_t* end,
                                              std::uint32_t rows) {
  const std::uint32_t lane = lane_number();
  const std::uint8_t* address = begin - reinterpret_cast<std::uintptr_t>(begin) % 4 + lane * 4;
  std::uint32_t sum = 0;
  for (std::uint32_t first = 0; first < rows; first += words_at_once) {
    std::uint32_t words[words_at_once];
#pragma unroll
    for (std::uint32_t i = 0; i < words_at_once; ++i) {
      words[i] = word_within(address + std::size_t{i} * crc32_row_bytes, begin, end);
    }
#pragma unroll
    for (std::uint32_t i = 0; i < words_at_once; ++i) {
      if (first + i < rows) sum = a_row_on(row, sum) ^ words[i];
    }
    address += std::size_t{words_at_once} * crc32_row_bytes;
  }
  return sum_of_lanes(crc32_product(sum, check.tables->to_end_of_row[lane]));
}

// A warp a piece: what it adds to the CRC of its block. Of a block that was not decoded nothing is read: what
// a decoder leaves of it may never have been written.
__global__ void sum_crc32_pieces(Crc32Check check) {
  GSST_SHARED_MEMORY(memory);
  auto& row = *reinterpret_cast<RowTables*>(memory);
  for (std::uint32_t i = threadIdx.x; i < 4 * 256; i += crc32_threads) {
    row[i / 256][i % 256] = check.tables->row[i / 256][i % 256];
  }
  __syncthreads();
  const std::uint32_t number = blockIdx.x * crc32_warps + threadIdx.x / lanes_of_warp;
  if (number >= check.piece_count) return;
  const Crc32Piece piece = check.pieces[number];
  if (check.status[piece.block] != 0) return;
  const CheckedBlock block(check, piece.block);
  const std::uint8_t* const begin = block.output + piece.begin;
  const std::uint32_t left = block.bytes - piece.begin;
  const std::uint32_t bytes = left < crc32_piece_bytes ? left : crc32_piece_bytes;
  const auto skew = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(begin) % 4);
  const std::uint32_t rows = (skew + bytes + crc32_row_bytes - 1) / crc32_row_bytes;
  // The last row ends so many bytes after the piece, which times x^-1 takes away.
  const std::uint32_t past_end = rows * crc32_row_bytes - skew - bytes;
  const std::uint64_t exponent =
      crc32_order + std::uint64_t{8} * (left - bytes) - std::uint64_t{8} * past_end;
  const std::uint32_t sum = crc32_of_rows(row, check, begin, begin + bytes, rows);
  const std::uint32_t factor = power_of_x(check, exponent);
  if (lane_number() == 0) check.piece_terms[number] = crc32_product(sum, factor);
}

// A warp a block.
__global__ void compare_crc32(Crc32Check check) {
  const std::uint32_t number = blockIdx.x * crc32_warps + threadIdx.x / lanes_of_warp;
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
  if (lane_number() == 0 && crc != block.stored_crc()) {
    check.status[number] = static_cast<std::uint32_t>(format::BlockStatus::wrong_checksum);
  }
}

void launch_warps(std::uint32_t warps, std::size_t shared_bytes, void (*kernel)(Crc32Check),
                  const Crc32Check& check, stage::Stream stream) {
  // A grid of no blocks is an error in CUDA.
  if (warps == 0) return;
  stage::launch({.thread_blocks = (warps + crc32_warps - 1) / crc32_warps,
                 .threads_per_block = crc32_threads,
                 .shared_bytes = shared_bytes,
                 .stream = stream},
                kernel, check);
}

void enqueue_crc32(const Crc32Check& check, stage::Stream stream) {
  launch_warps(check.piece_count, sizeof(RowTables), sum_crc32_pieces, check, stream);
  launch_warps(check.block_count, 0, compare_crc32, check, stream);
}

template <typename Value>
void fill(const Value* to, std::span<const Value> from, stage::Stream stream) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): only the kernels must not write it.
  stage::copy_to_executor(const_cast<Value*>(to), from, stream);
}

void prepare_crc32(const Crc32Check& check, const Crc32Lists& lists, stage::Stream stream) {
  static const Crc32Tables tables = make_crc32_tables();
  fill(check.tables, std::span<const Crc32Tables>(&tables, 1), stream);
  fill(check.pieces, lists.pieces, stream);
  fill(check.first_piece, lists.first_piece, stream);
}

const stage::KernelsOn<Crc32Kernels> crc32_registration(stage::this_executor,
                                                        {.prepare = prepare_crc32, .enqueue = enqueue_crc32});

}  // namespace
}  // namespace gsst::codag::gzip
