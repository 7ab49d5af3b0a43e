#pragma once

#include <cstdint>

#include "common/stage/shared_memory.hpp"
#include "stages/gsst/08_gpu_encoder/lookup_tables.hpp"
#include "stages/gsst/shared/frame_writer.cuh"

// What all steps share: which thread has which tile, and where its codes are kept until the frame is written.
// A tile (paper 5.1) is a split of the format. A thread block encodes a group of tiles of one data block, a
// tile a thread.
namespace {

// An encoding as a kernel receives it. All pointers are in the executor's memory.
struct EncodeJob {
  FrameParts parts;
  // One for each table; which of them are there depends on the step.
  FsstTables* fsst_tables;
  std::uint8_t* compact_tables;
  CompactShape shape;
  std::uint32_t groups_per_block;
  // Steps 1 to 5: a region for each tile, large enough for its codes in the worst case (paper 5.2).
  std::uint8_t* regions;
  std::uint32_t region_bytes;
  // From step 6 on: a matrix of words for each group, with its number of rows.
  std::uint32_t* matrices;
  std::uint32_t matrix_rows;
  std::uint32_t* rows_of_group;
  // From step 7 on: the words of each tile one after the other.
  std::uint32_t* tile_words;
};

// The thread's tile.
struct Tile {
  std::uint32_t block;
  // The split of the block.
  std::uint32_t split;
  // Threads behind a block's last split that can hold bytes have none, and an empty input.
  bool exists;
  InputPiece input;
  // The tile's number among those of all threads.
  std::uint64_t thread;
};

__device__ inline Tile tile_of_thread(const EncodeJob& job) {
  const std::uint32_t block = blockIdx.x / job.groups_per_block;
  const std::uint32_t split = blockIdx.x % job.groups_per_block * blockDim.x + threadIdx.x;
  Tile tile = {.block = block,
               .split = split,
               .exists = split < job.parts.cut.used_splits(),
               .input = {.bytes = job.parts.cut.input, .size = 0},
               .thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x};
  if (tile.exists) tile.input = job.parts.cut.split(block, split);
  return tile;
}

__device__ inline void set_code_bytes(const EncodeJob& job, const Tile& tile, std::uint32_t code_bytes) {
  if (tile.exists) job.parts.splits_of(tile.block)[tile.split] = code_bytes;
}

// Where a tile's codes go in the frame. No bytes where its block is stored raw.
struct FramePiece {
  std::uint8_t* bytes;
  std::uint32_t size;
};

__device__ inline FramePiece codes_in_frame(const EncodeJob& job, std::uint32_t block, std::uint32_t split) {
  const BlockPlace& place = job.parts.places[block];
  const std::uint32_t used_splits = job.parts.cut.used_splits();
  if (split >= used_splits || place.layout == BlockLayout::raw) return {.bytes = nullptr, .size = 0};
  const std::uint32_t* const locations = job.parts.splits_of(block);
  const std::uint32_t begin = locations[split];
  const std::uint32_t end = split + 1 < used_splits ? locations[split + 1] : place.code_bytes;
  return {.bytes = job.parts.frame + place.payload_offset + place.codes_offset + begin, .size = end - begin};
}

}  // namespace
