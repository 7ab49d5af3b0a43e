#pragma once

#include <cstddef>
#include <cstdint>

#include "common/stage/shared_memory.hpp"
#include "stages/gsst/10_wide_encoder/compaction.cuh"

// Splits that are longer than a row have a piece of some 90 bytes in each of their chunks. A warp brings
// these chunks to shared memory, puts the pieces of each split one behind the other there, a split a lane,
// and writes them to the frame together, in whole units. The next chunk is on its way meanwhile.
namespace {

// Bytes of a split that are collected, at most.
constexpr std::uint32_t most_run_bytes = 512;
static_assert(most_run_bytes >= most_code_bytes);
// Zeros around a chunk's codes: words that begin before them, and four that are read at a time behind them.
constexpr std::uint32_t units_before_codes = 1;
constexpr std::uint32_t units_behind_codes = 2;

// Shared memory of a warp.
struct LongSplitBuffers {
  Unit chunk[units_before_codes + 32 * most_code_bytes / unit_bytes + units_behind_codes];
  // A run stands as far behind the start of its first unit as it does in the frame.
  Unit runs[32][most_run_bytes / unit_bytes + 1];
};

// The bytes of a lane's split that are collected.
struct Run {
  // From the frame's first byte to where they go.
  std::uint64_t place;
  std::uint32_t bytes;

  // In the buffer.
  __device__ std::uint32_t begin() const { return static_cast<std::uint32_t>(place % unit_bytes); }
  __device__ std::uint32_t end() const { return begin() + bytes; }
  // The unit that is not whole yet.
  __device__ std::uint32_t open_unit() const { return end() / unit_bytes; }

  __device__ Run of_lane(std::uint32_t lane) const {
    return {.place = __shfl_sync(all_lanes, place, static_cast<int>(lane)),
            .bytes = __shfl_sync(all_lanes, bytes, static_cast<int>(lane))};
  }
};

// All lanes: the codes of a chunk to shared memory.
__device__ inline void stage_chunk(LongSplitBuffers& buffers, const std::uint8_t* codes,
                                   std::uint32_t total) {
  // As many loads are on their way at once: most chunks have no more.
  constexpr std::uint32_t loads = 8;
  const auto* const from = reinterpret_cast<const Unit*>(codes);
  const std::uint32_t units = (total + unit_bytes - 1) / unit_bytes;
  const std::uint32_t lane = threadIdx.x % 32;
  // What was there is still being read.
  __syncwarp();
  for (std::uint32_t first = lane; first < units; first += loads * 32) {
    Unit loaded[loads];
#pragma unroll
    for (std::uint32_t load = 0; load < loads; ++load) {
      if (first + load * 32 < units) loaded[load] = from[first + load * 32];
    }
#pragma unroll
    for (std::uint32_t load = 0; load < loads; ++load) {
      if (first + load * 32 < units) buffers.chunk[units_before_codes + first + load * 32] = loaded[load];
    }
  }
  if (lane < units_behind_codes) buffers.chunk[units_before_codes + units + lane] = Unit();
  __syncwarp();
}

// A lane adds `count` bytes of the chunk, from `from` on, to its run.
__device__ inline void append_to_run(LongSplitBuffers& buffers, std::uint32_t from, std::uint32_t count,
                                     Run& run) {
  // Of the run's last word the lowest bytes are there already.
  const std::uint32_t there = run.end() % 4;
  const std::uint32_t first = units_before_codes * unit_bytes + from - there;
  const auto* source = reinterpret_cast<const std::uint32_t*>(buffers.chunk) + first / 4;
  auto* const to = reinterpret_cast<std::uint32_t*>(buffers.runs[threadIdx.x % 32]) + run.end() / 4;
  const std::uint32_t words = count == 0 ? 0 : (there + count + 3) / 4;
  const std::uint32_t old_bytes = there == 0 ? 0 : *to & 0xffffffff >> (32 - there * 8);
  const std::uint32_t new_mask = 0xffffffff << there * 8;
  std::uint32_t low = *source;
  for (std::uint32_t word = 0; word < words; word += 4) {
    std::uint32_t next[4];
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) next[i] = *++source;
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      std::uint32_t value = word_at(low, next[i], first % 4 * 8);
      if (i == 0 && word == 0) value = (value & new_mask) | old_bytes;
      if (word + i < words) to[word + i] = value;
      low = next[i];
    }
  }
  run.bytes += count;
}

// All lanes: the whole units of all runs to the frame, eight lanes a run.
__device__ inline void write_whole_units(const LongSplitBuffers& buffers, std::uint8_t* frame,
                                         const Run& own) {
  constexpr std::uint32_t lanes = 8;
  const std::uint32_t lane = threadIdx.x % 32;
  for (std::uint32_t first = 0; first < 32; first += 32 / lanes) {
    const std::uint32_t row = first + lane / lanes;
    const Run run = own.of_lane(row);
    auto* const to = reinterpret_cast<Unit*>(frame + (run.place - run.begin()));
    const std::uint32_t first_whole = run.begin() == 0 ? 0 : 1;
    for (std::uint32_t unit = first_whole + lane % lanes; unit < run.open_unit(); unit += lanes) {
      to[unit] = buffers.runs[row][unit];
    }
  }
}

// All lanes: the bytes of all runs that share a unit of the frame with other splits, a byte a lane: those of
// the first unit, and with `last` those of the open one.
__device__ inline void write_shared_units(const LongSplitBuffers& buffers, std::uint8_t* frame,
                                          const Run& own, bool last) {
  const std::uint32_t lane = threadIdx.x % 32;
  for (std::uint32_t row = 0; row < 32; ++row) {
    const Run run = own.of_lane(row);
    const bool takes_first = lane < unit_bytes;
    const std::uint32_t unit = takes_first ? 0 : run.open_unit();
    const bool is_wanted = takes_first ? run.begin() != 0 : last && (unit != 0 || run.begin() == 0);
    const std::uint32_t byte = unit * unit_bytes + lane % unit_bytes;
    if (is_wanted && byte >= run.begin() && byte < run.end()) {
      frame[run.place - run.begin() + byte] = reinterpret_cast<const std::uint8_t*>(buffers.runs[row])[byte];
    }
  }
}

// All lanes: the runs to the frame. Unless it is the `last` time, the bytes of a run's open unit stay, so
// that they can be written with what follows.
__device__ inline void write_runs(LongSplitBuffers& buffers, std::uint8_t* frame, Run& run, bool last) {
  __syncwarp();
  write_whole_units(buffers, frame, run);
  if (last || __any_sync(all_lanes, run.begin() != 0)) write_shared_units(buffers, frame, run, last);
  __syncwarp();
  const bool is_written = run.begin() != 0 && run.open_unit() == 0;
  const std::uint32_t written = is_written ? run.bytes : run.open_unit() * unit_bytes - run.begin();
  const std::uint32_t left = run.bytes - written;
  Unit* const own = buffers.runs[threadIdx.x % 32];
  const Unit& open = own[run.open_unit()];
  for (std::uint32_t word = 0; word * 4 < left; ++word) own[0].words[word] = open.words[word];
  run = {.place = run.place + written, .bytes = left};
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
  if (lane < units_before_codes) buffers.chunk[lane] = Unit();
  buffers.runs[lane][0] = Unit();
  const std::uint8_t* from = job.chunks + group * job.group_bytes;
  const std::uint8_t* const group_end = from + job.group_bytes;
  const std::uint32_t chunk_count = job.chunk_counts[group];
  std::uint32_t codes = reinterpret_cast<const ChunkCounts*>(from)->of_lane[lane];
  for (std::uint32_t chunk = 0; chunk < chunk_count; ++chunk) {
    const std::uint32_t before = sum_before(codes);
    const std::uint32_t total = __shfl_sync(all_lanes, before + codes, 31);
    const std::uint8_t* const next = from + chunk_bytes(total);
    std::uint32_t next_codes = 0;
    if (chunk + 1 < chunk_count) next_codes = reinterpret_cast<const ChunkCounts*>(next)->of_lane[lane];
    // Most chunks have less than 32 lines.
    constexpr std::uint32_t line_bytes = 128;
    if (next + lane * line_bytes < group_end) prefetch(next + lane * line_bytes);
    stage_chunk(buffers, from + sizeof(ChunkCounts), total);
    if (__any_sync(all_lanes, run.bytes + codes > most_run_bytes)) {
      write_runs(buffers, job.parts.frame, run, false);
    }
    append_to_run(buffers, before, codes, run);
    codes = next_codes;
    from = next;
  }
  write_runs(buffers, job.parts.frame, run, true);
}

}  // namespace
