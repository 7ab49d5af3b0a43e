#pragma once

#include <cstdint>

#include "common/format/zero_length/zero_length.hpp"
#include "stages/zero_length/04_cuda_runs/encode_kernels_1_find.cuh"

// From a list of runs to elements: its order, the places of what it cuts a block into, and the copies.
namespace gsst::zero_length::encoder {
namespace {

// A block of the format, cut by its list: piece 0 comes before the first entry, each other one begins with an
// entry. A piece is an element of two bytes, or several for a long run, and the plain bytes after it.
class BlockPieces {
public:
  __device__ BlockPieces(const OrderedList& list, std::uint32_t block_bytes)
      : list_(list), block_bytes_(block_bytes) {}

  __device__ std::uint32_t count() const { return list_.count + 1; }

  // Where the plain bytes of a piece begin and end.
  __device__ std::uint32_t plain_begin(std::uint32_t piece) const {
    if (piece == 0) return 0;
    const Entry entry = entry_of(piece);
    return entry.mark == Mark::run_first ? end(piece) : entry.place + 1;
  }
  __device__ std::uint32_t end(std::uint32_t piece) const {
    return piece < list_.count ? Entry(list_.entries[piece]).place : block_bytes_;
  }

  __device__ bool is_marker(std::uint32_t piece) const {
    return piece != 0 && entry_of(piece).mark == Mark::marker;
  }
  // Zeros of the run that the piece begins with; 0 if it begins with none. The next entry is the run's end.
  __device__ std::uint32_t run_length(std::uint32_t piece) const {
    if (piece == 0 || entry_of(piece).mark != Mark::run_first) return 0;
    return end(piece) + 1 - entry_of(piece).place;
  }

  // Bytes of the elements before the plain bytes (FORMAT.md, section 11.1).
  __device__ std::uint32_t element_bytes(std::uint32_t piece) const {
    using namespace format::zero_length;
    constexpr std::uint32_t two_bytes = marked_element_bytes;
    if (is_marker(piece)) return two_bytes;
    const std::uint32_t run = run_length(piece);
    const std::uint32_t rest = run % std::uint32_t{longest_run};
    return run / std::uint32_t{longest_run} * two_bytes + (rest < shortest_run ? rest : two_bytes);
  }
  __device__ std::uint32_t bytes(std::uint32_t piece) const {
    return element_bytes(piece) + end(piece) - plain_begin(piece);
  }

  // Of a piece's first byte in the block's elements. The sums are there.
  __device__ std::uint32_t offset(std::uint32_t piece) const {
    return piece == 0 ? 0 : end(0) + list_.sum_before(piece - 1);
  }

private:
  __device__ Entry entry_of(std::uint32_t piece) const { return Entry(list_.entries[piece - 1]); }

  OrderedList list_;
  std::uint32_t block_bytes_;
};

// A thread block a block.
__global__ void order_lists(EncodeJob job) {
  order_list(job.list_of(blockIdx.x));
}

// A thread block a block: where each piece goes in the block's elements, and how many bytes these have.
__global__ void place_pieces(EncodeJob job) {
  const OrderedList list(job.list_of(blockIdx.x));
  const BlockPieces pieces(list, job.bytes_of_block(blockIdx.x));
  for (std::uint32_t entry = threadIdx.x; entry < list.count; entry += blockDim.x) {
    list.sums[entry] = pieces.bytes(entry + 1);
  }
  __syncthreads();
  sum_up(list.sums, list.count);
  if (threadIdx.x == 0) job.block_elements[blockIdx.x] = pieces.end(0) + list.sum_before(list.count);
}

// The elements of a run of at least three zeros: all lanes of a warp.
__device__ inline void write_run(std::uint8_t* elements, std::uint32_t run, unsigned lane) {
  using namespace format::zero_length;
  const std::uint32_t whole = run / longest_run;
  for (std::uint32_t number = lane; number < whole; number += lanes_of_warp) {
    elements[marked_element_bytes * number] = marker;
    elements[marked_element_bytes * number + 1] = longest_run;
  }
  if (lane != 0) return;
  std::uint8_t* const after_whole = elements + marked_element_bytes * whole;
  const auto rest = static_cast<std::uint8_t>(run % longest_run);
  if (rest >= shortest_run) {
    after_whole[0] = marker;
    after_whole[1] = rest;
  } else {
    for (std::uint8_t zero = 0; zero < rest; ++zero) after_whole[zero] = 0;
  }
}

// A warp a piece, `parts` thread blocks a block: the copies between the runs, and the runs.
__global__ void copy_pieces(EncodeJob job, std::uint32_t parts) {
  const std::uint32_t block = blockIdx.x / parts;
  const std::uint32_t thread = blockIdx.x % parts * blockDim.x + threadIdx.x;
  const std::uint32_t threads = parts * blockDim.x;
  const std::uint8_t* const input = job.input + job.block_begin(block);
  std::uint8_t* const output = job.output + job.blocks[block].payload_offset;
  const std::uint32_t bytes = job.bytes_of_block(block);
  if (job.blocks[block].layout == format::BlockLayout::raw) {
    for (std::uint32_t byte = thread; byte < bytes; byte += threads) output[byte] = input[byte];
    return;
  }
  const BlockPieces pieces(OrderedList(job.list_of(block)), bytes);
  const unsigned lane = threadIdx.x % lanes_of_warp;
  for (std::uint32_t piece = thread / lanes_of_warp; piece < pieces.count();
       piece += threads / lanes_of_warp) {
    std::uint8_t* const elements = output + pieces.offset(piece);
    if (pieces.is_marker(piece) && lane == 0) {
      elements[0] = format::zero_length::marker;
      elements[1] = format::zero_length::literal_marker;
    }
    const std::uint32_t run = pieces.run_length(piece);
    if (run != 0) write_run(elements, run, lane);
    const std::uint32_t plain = pieces.plain_begin(piece);
    const std::uint32_t plain_bytes = pieces.end(piece) - plain;
    std::uint8_t* const after_element = elements + pieces.element_bytes(piece);
    for (std::uint32_t byte = lane; byte < plain_bytes; byte += lanes_of_warp) {
      after_element[byte] = input[plain + byte];
    }
  }
}

}  // namespace
}  // namespace gsst::zero_length::encoder
