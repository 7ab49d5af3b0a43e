#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "stages/zero_length/04_cuda_runs/block_list.cuh"
#include "stages/zero_length/04_cuda_runs/decode_problem.cuh"

// The way back by the same plan: a list of markers, and copies between them (thesis 4.5, Figure 16).
namespace gsst::zero_length::decoder {
namespace {

// What the kernels share, in the executor's memory.
struct DecodeJob {
  stage::FrameOnDevice frame;
  std::uint8_t* output;
  // Until a block's markers are in order, whether one of them breaks a rule.
  std::uint32_t* status;
  // Entries of each block's list.
  unsigned* counts;
  // Two words for each byte of the frame: a block's lists begin where its payload does.
  std::uint32_t* entries;
  std::uint32_t* second;

  __device__ stage::BlockOnDevice block(std::uint32_t number) const { return frame.block(number, output); }
  __device__ BlockList list_of(const stage::BlockOnDevice& block, std::uint32_t number) const {
    const auto begin = block.payload - frame.bytes;
    return {.entries = entries + begin, .second = second + begin, .count = counts[number]};
  }
};

// A payload that breaks no rule at any marker, cut by its list: piece 0 comes before the first marker, each
// other one begins with a marker and its length.
class PayloadPieces {
public:
  __device__ PayloadPieces(const OrderedList& list, const stage::BlockOnDevice& block)
      : list_(list), payload_(block.payload), payload_bytes_(block.payload_bytes) {}

  __device__ std::uint32_t count() const { return list_.count + 1; }

  // Where the literals of a piece begin and end.
  __device__ std::uint32_t literals_begin(std::uint32_t piece) const {
    constexpr std::uint32_t two_bytes = format::zero_length::marked_element_bytes;
    return piece == 0 ? 0 : list_.entries[piece - 1] + two_bytes;
  }
  __device__ std::uint32_t end(std::uint32_t piece) const {
    return piece < list_.count ? list_.entries[piece] : payload_bytes_;
  }

  __device__ bool is_literal_marker(std::uint32_t piece) const {
    return piece != 0 && length_byte(piece) == format::zero_length::literal_marker;
  }
  // Bytes that a piece decodes to before its literals.
  __device__ std::uint32_t element_output(std::uint32_t piece) const {
    if (piece == 0) return 0;
    return is_literal_marker(piece) ? 1 : length_byte(piece);
  }
  __device__ std::uint32_t output_bytes(std::uint32_t piece) const {
    return element_output(piece) + end(piece) - literals_begin(piece);
  }

  // Of a piece's first byte in the block's output, and of the output's end. The sums are there.
  __device__ std::uint32_t offset(std::uint32_t piece) const {
    return piece == 0 ? 0 : sum_of_two(end(0), list_.sum_before(piece - 1));
  }

private:
  __device__ std::uint32_t length_byte(std::uint32_t piece) const {
    return payload_[list_.entries[piece - 1] + 1];
  }

  OrderedList list_;
  const std::uint8_t* payload_;
  std::uint32_t payload_bytes_;
};

// The threads of `parts` thread blocks share a block.
struct ThreadOfBlock {
  std::uint32_t block;
  std::uint32_t number;
  std::uint32_t count;

  __device__ explicit ThreadOfBlock(std::uint32_t parts)
      : block(blockIdx.x / parts),
        number(blockIdx.x % parts * blockDim.x + threadIdx.x),
        count(parts * blockDim.x) {}
};

// A thread a byte, but in blocks that are larger than others. Each byte FF is a marker: as a length it would
// break a rule.
__global__ void list_markers(DecodeJob job, std::uint32_t parts) {
  using namespace format::zero_length;
  const ThreadOfBlock thread(parts);
  const stage::BlockOnDevice block = job.block(thread.block);
  if (block.layout == format::BlockLayout::raw) return;
  std::uint32_t* const entries = job.list_of(block, thread.block).entries;
  for (std::uint64_t byte = thread.number; byte < block.payload_bytes; byte += thread.count) {
    if (block.payload[byte] != marker) continue;
    if (byte + 1 == block.payload_bytes || block.payload[byte + 1] > longest_run) {
      atomicMax(&job.status[thread.block], static_cast<unsigned>(Status::unused_length));
    }
    BlockList::append(entries, &job.counts[thread.block], static_cast<std::uint32_t>(byte));
  }
}

// All threads of the block: orders the list and finds each piece's place. The output's bytes.
__device__ inline std::uint32_t place_pieces(const BlockList& unordered, const stage::BlockOnDevice& block) {
  const OrderedList list = order_list(unordered);
  const PayloadPieces pieces(list, block);
  for (std::uint32_t entry = threadIdx.x; entry < list.count; entry += blockDim.x) {
    list.sums[entry] = pieces.output_bytes(entry + 1);
  }
  __syncthreads();
  sum_up(list.sums, list.count);
  return pieces.offset(pieces.count());
}

// A thread block a block.
__global__ void order_markers(DecodeJob job) {
  const stage::BlockOnDevice block = job.block(blockIdx.x);
  if (block.layout == format::BlockLayout::raw) return;
  const bool is_right = job.status[blockIdx.x] == 0 &&
                        place_pieces(job.list_of(block, blockIdx.x), block) == block.uncompressed_bytes;
  // Behind all that read the status.
  __syncthreads();
  if (is_right || threadIdx.x != 0) return;
  job.status[blockIdx.x] = static_cast<std::uint32_t>(first_problem(block));
}

// A warp a piece, `parts` thread blocks a block: zeros, and the copies between them.
__global__ void copy_pieces(DecodeJob job, std::uint32_t parts) {
  const ThreadOfBlock thread(parts);
  if (job.status[thread.block] != 0) return;
  const stage::BlockOnDevice block = job.block(thread.block);
  if (block.layout == format::BlockLayout::raw) {
    for (std::uint64_t byte = thread.number; byte < block.uncompressed_bytes; byte += thread.count) {
      block.output[byte] = block.payload[byte];
    }
    return;
  }
  const PayloadPieces pieces(OrderedList(job.list_of(block, thread.block)), block);
  const unsigned lane = threadIdx.x % lanes_of_warp;
  for (std::uint32_t piece = thread.number / lanes_of_warp; piece < pieces.count();
       piece += thread.count / lanes_of_warp) {
    std::uint8_t* const output = block.output + pieces.offset(piece);
    const std::uint8_t element = pieces.is_literal_marker(piece) ? format::zero_length::marker : 0;
    const std::uint32_t before_literals = pieces.element_output(piece);
    for (std::uint32_t byte = lane; byte < before_literals; byte += lanes_of_warp) output[byte] = element;
    const std::uint8_t* const literals = block.payload + pieces.literals_begin(piece);
    const std::uint32_t literals_bytes = pieces.end(piece) - pieces.literals_begin(piece);
    for (std::uint32_t byte = lane; byte < literals_bytes; byte += lanes_of_warp) {
      output[before_literals + byte] = literals[byte];
    }
  }
}

}  // namespace
}  // namespace gsst::zero_length::decoder
