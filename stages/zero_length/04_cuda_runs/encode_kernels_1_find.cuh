#pragma once

#include <cstdint>

#include "common/format/zero_length/zero_length.hpp"
#include "stages/zero_length/04_cuda_runs/encode_job.cuh"

// A thread a byte: what begins or ends there, and a list of it (thesis 4.5, Figure 15).
namespace gsst::zero_length::encoder {
namespace {

// Where the copies between the runs begin and end.
enum class Mark : std::uint8_t {
  none = 0,
  // The byte FF, which takes two bytes.
  marker = 1,
  // The first and the last zero of a run of at least three.
  run_first = 2,
  run_last = 3,
};

// A place in a block and its mark: lists are in the order of their places.
struct Entry {
  // Below 2^30, as blocks are no larger.
  std::uint32_t place;
  Mark mark;

  __device__ static std::uint32_t word_of(std::uint32_t place, std::uint32_t mark) {
    return place << 2 | mark;
  }
  __device__ explicit Entry(std::uint32_t word) : place(word >> 2), mark(static_cast<Mark>(word & 3)) {}
};

__device__ inline std::uint64_t byte_of_thread() {
  return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

// A thread looks at two bytes before and after its own at most: a run's length is known once both its ends
// are in the list.
__global__ void find_runs(EncodeJob job) {
  const std::uint64_t byte = byte_of_thread();
  if (byte >= job.input_bytes) return;
  const auto block = static_cast<std::uint32_t>(byte / job.block_bytes);
  const std::uint64_t begin = job.block_begin(block);
  const std::uint64_t end = begin + job.bytes_of_block(block);
  // Before the first byte of the input, numbers are large.
  const auto is_zero = [&](std::uint64_t other) {
    return other >= begin && other < end && job.input[other] == 0;
  };
  Mark mark = Mark::none;
  if (job.input[byte] == format::zero_length::marker) {
    mark = Mark::marker;
  } else if (job.input[byte] == 0) {
    const bool has_before = is_zero(byte - 1);
    const bool has_after = is_zero(byte + 1);
    if (!has_before && has_after && is_zero(byte + 2)) mark = Mark::run_first;
    if (has_before && !has_after && is_zero(byte - 2)) mark = Mark::run_last;
  }
  job.marks[byte] = static_cast<std::uint8_t>(mark);
}

// The lists are in the order in which threads come to the counter.
__global__ void list_runs(EncodeJob job) {
  const std::uint64_t byte = byte_of_thread();
  if (byte >= job.input_bytes) return;
  const std::uint8_t mark = job.marks[byte];
  if (mark == static_cast<std::uint8_t>(Mark::none)) return;
  const auto block = static_cast<std::uint32_t>(byte / job.block_bytes);
  const std::uint64_t begin = job.block_begin(block);
  BlockList::append(job.entries + begin, &job.counts[block],
                    Entry::word_of(static_cast<std::uint32_t>(byte - begin), mark));
}

}  // namespace
}  // namespace gsst::zero_length::encoder
