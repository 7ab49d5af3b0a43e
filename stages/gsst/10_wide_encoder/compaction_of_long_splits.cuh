#pragma once

#include <cstddef>
#include <cstdint>

#include "common/stage/shared_memory.hpp"
#include "stages/gsst/10_wide_encoder/compaction.cuh"

// Splits that are longer than a row have a piece of some 80 bytes in each of their chunks. A warp puts the
// pieces of each split one behind the other in shared memory, a split a lane, and writes them to the frame
// together, in whole units.
namespace {

// Bytes of a split that are collected, at most: all escapes, a row gives twice its bytes.
constexpr std::uint32_t most_run_bytes = 2 * long_row_bytes;

// Shared memory of a warp.
struct LongSplitBuffers {
  // A run stands as far behind the start of its first unit as it does in the frame.
  Unit runs[32][most_run_bytes / unit_bytes + 2];
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

// A lane adds its codes of a chunk to its run.
__device__ inline void append_to_run(LongSplitBuffers& buffers, const std::uint32_t* words,
                                     std::uint32_t codes, Run& run) {
  auto* const to = reinterpret_cast<std::uint32_t*>(buffers.runs[threadIdx.x % 32]) + run.end() / 4;
  // Of the run's last word the lowest bytes are there already.
  const std::uint32_t bits = run.end() % 4 * 8;
  std::uint32_t low = bits == 0 ? 0 : *to << (32 - bits);
  for_each_code_word(words, codes, [&](std::uint32_t number, std::uint32_t word) {
    to[number] = word_before(low, word, bits);
    low = word;
  });
  if (codes != 0 && bits != 0) to[words_of_codes(codes)] = word_before(low, 0, bits);
  run.bytes += codes;
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
  buffers.runs[lane][0] = Unit();
  const auto* from = reinterpret_cast<const std::uint32_t*>(job.chunks + group * job.group_bytes) + lane;
  prefetch_lines(job, group, from);
  const std::uint32_t chunk_count = job.chunk_counts[group];
  std::uint32_t codes = chunk_count == 0 ? 0 : *from;
  for (std::uint32_t chunk = 0; chunk < chunk_count; ++chunk) {
    const std::uint32_t* const next =
        from + std::size_t{1 + largest_of_warp(words_of_codes(codes))} * line_words;
    const std::uint32_t next_codes = chunk + 1 < chunk_count ? *next : 0;
    prefetch_lines(job, group, next);
    if (__any_sync(all_lanes, run.bytes + codes > most_run_bytes)) {
      write_runs(buffers, job.parts.frame, run, false);
    }
    append_to_run(buffers, from + line_words, codes, run);
    codes = next_codes;
    from = next;
  }
  write_runs(buffers, job.parts.frame, run, true);
}

}  // namespace
