#pragma once

#include <cstddef>
#include <cstdint>

#include "common/stage/shared_memory.hpp"
#include "stages/gsst/10_wide_encoder/compaction.cuh"

// Splits that are longer than a row have a piece of some 90 bytes in each of their chunks. A warp brings
// these chunks to shared memory, puts the pieces of each split one behind the other there, and writes them to
// the frame together, in whole units.
namespace {

// Bytes of a split that are written together, at most.
constexpr std::uint32_t most_run_bytes = 512;
static_assert(most_run_bytes >= most_code_bytes);

// Shared memory of a warp.
struct LongSplitBuffers {
  Unit chunk[32 * most_code_bytes / unit_bytes];
  // A run stands as far behind the start of its first unit as it does in the frame.
  Unit runs[32][most_run_bytes / unit_bytes + 1];
};

// The bytes of a lane's split that are collected.
struct Run {
  // From the frame's first byte to where they go.
  std::uint64_t place;
  std::uint32_t bytes;

  __device__ std::uint32_t begin() const { return static_cast<std::uint32_t>(place % unit_bytes); }
};

// All lanes: the codes of a chunk to shared memory.
__device__ inline void stage_chunk(LongSplitBuffers& buffers, const std::uint8_t* codes,
                                   std::uint32_t total) {
  // What was there is still being read.
  __syncwarp();
  const auto* const units = reinterpret_cast<const Unit*>(codes);
  for (std::uint32_t unit = threadIdx.x % 32; unit * unit_bytes < total; unit += 32) {
    buffers.chunk[unit] = units[unit];
  }
  __syncwarp();
}

// A lane adds `count` bytes of the chunk, from `from` on, to its run.
__device__ inline void append_to_run(LongSplitBuffers& buffers, std::uint32_t from, std::uint32_t count,
                                     Run& run) {
  const auto* const source = reinterpret_cast<const std::uint8_t*>(buffers.chunk) + from;
  std::uint8_t* const to =
      reinterpret_cast<std::uint8_t*>(buffers.runs[threadIdx.x % 32]) + run.begin() + run.bytes;
  const std::uint32_t to_word = (0 - (run.begin() + run.bytes)) % 4;
  const std::uint32_t head = to_word < count ? to_word : count;
  const std::uint32_t words = (count - head) / 4;
  for (std::uint32_t byte = 0; byte < head; ++byte) to[byte] = source[byte];
  const std::uint32_t offset = (from + head) % 4;
  const auto* word_from = reinterpret_cast<const std::uint32_t*>(source + head - offset);
  auto* const word_to = reinterpret_cast<std::uint32_t*>(to + head);
  std::uint32_t low = words == 0 ? 0 : *word_from;
  for (std::uint32_t word = 0; word < words; ++word) {
    // Behind the last word of all there may be nothing.
    const std::uint32_t high = offset == 0 && word + 1 == words ? 0 : *++word_from;
    word_to[word] = word_at(low, high, offset * 8);
    low = high;
  }
  for (std::uint32_t byte = head + words * 4; byte < count; ++byte) to[byte] = source[byte];
  run.bytes += count;
}

// All lanes: the runs to the frame, eight lanes a run.
__device__ inline void write_runs(const LongSplitBuffers& buffers, std::uint8_t* frame, Run& run) {
  constexpr std::uint32_t lanes = 8;
  const std::uint32_t lane = threadIdx.x % 32;
  __syncwarp();
  for (std::uint32_t first = 0; first < 32; first += 32 / lanes) {
    const std::uint32_t row = first + lane / lanes;
    const std::uint64_t place = __shfl_sync(all_lanes, run.place, static_cast<int>(row));
    const auto begin = static_cast<std::uint32_t>(place % unit_bytes);
    const std::uint32_t end = begin + __shfl_sync(all_lanes, run.bytes, static_cast<int>(row));
    std::uint8_t* const to = frame + (place - begin);
    const Unit* const from = buffers.runs[row];
    for (std::uint32_t unit = lane % lanes; unit * unit_bytes < end; unit += lanes) {
      const std::uint32_t unit_begin = unit * unit_bytes;
      const std::uint32_t own_begin = begin > unit_begin ? begin : unit_begin;
      const std::uint32_t own_end = end < unit_begin + unit_bytes ? end : unit_begin + unit_bytes;
      if (own_end - own_begin == unit_bytes) {
        reinterpret_cast<Unit*>(to)[unit] = from[unit];
      } else {
        // The rest of the unit is another split's, or comes with the next run.
        const auto* const bytes = reinterpret_cast<const std::uint8_t*>(from);
        for (std::uint32_t byte = own_begin; byte < own_end; ++byte) to[byte] = bytes[byte];
      }
    }
  }
  run = {.place = run.place + run.bytes, .bytes = 0};
  __syncwarp();
}

// A warp copies the codes of a group. Any number of whole warps with a LongSplitBuffers each.
__global__ void copy_groups_of_long_splits(EncodeJob job) {
  GSST_SHARED_MEMORY(shared);
  LongSplitBuffers& buffers = reinterpret_cast<LongSplitBuffers*>(shared)[threadIdx.x / 32];
  const std::uint32_t group = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (group >= job.group_count) return;
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t block = group / job.groups_per_block;
  if (job.parts.places[block].layout == BlockLayout::raw) return;
  const std::uint32_t first_split = group % job.groups_per_block * 32;
  const bool exists = first_split + lane < job.parts.cut.used_splits();
  const std::uint8_t* const own_place = codes_in_frame(job, block, exists ? first_split + lane : first_split);
  Run run = {.place = static_cast<std::uint64_t>(own_place - job.parts.frame), .bytes = 0};
  const std::uint8_t* from = job.chunks + group * job.group_bytes;
  const std::uint32_t chunk_count = job.chunk_counts[group];
  for (std::uint32_t chunk = 0; chunk < chunk_count; ++chunk) {
    const std::uint32_t codes = reinterpret_cast<const ChunkCounts*>(from)->of_lane[lane];
    const std::uint32_t before = sum_before(codes);
    const std::uint32_t total = __shfl_sync(all_lanes, before + codes, 31);
    stage_chunk(buffers, from + sizeof(ChunkCounts), total);
    if (__any_sync(all_lanes, run.bytes + codes > most_run_bytes)) {
      write_runs(buffers, job.parts.frame, run);
    }
    append_to_run(buffers, before, codes, run);
    from += chunk_bytes(total);
  }
  write_runs(buffers, job.parts.frame, run);
}

}  // namespace
