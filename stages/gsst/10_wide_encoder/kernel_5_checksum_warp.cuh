#pragma once

#include <cstdint>

#include "stages/gsst/10_wide_encoder/kernel_4_hashed_pairs.cuh"

// A warp of each thread block makes checksums while the others encode: it waits for memory and for its own
// chains of operations, and leaves the multiprocessor to them.
namespace {

// All lanes of a warp: the checksums of the pieces that are to all pieces as the groups from `begin` to `end`
// are to all groups.
__device__ inline void checksum_share(const EncodeJob& job, std::uint32_t begin, std::uint32_t end) {
  const std::uint64_t pieces = all_checksum_pieces(job.parts);
  const std::uint64_t first = pieces * begin / job.group_count;
  const std::uint64_t last = pieces * end / job.group_count;
  for (std::uint64_t piece = first; piece < last; piece += pieces_of_warp) {
    checksum_pieces_of_warp(job.parts, piece, last);
  }
}

// Computed where it is needed: in a register it would push another value to memory.
__device__ inline std::uint32_t encoding_warps() {
  return blockDim.x / 32 - 1;
}

// As encode_groups(), with one warp more, which has no chunk.
template <typename Chunk, typename Lookup>
__global__ void __launch_bounds__(Chunk::most_warps * 32) encode_and_check_groups(EncodeJob job) {
  GSST_SHARED_MEMORY(shared);
  using Tables = typename Lookup::Tables;
  for_each_table<Tables>(job, shared, [&](std::uint32_t begin, std::uint32_t end) {
    const std::uint32_t warp = computed_here(threadIdx.x / 32);
    if (warp == encoding_warps()) return checksum_share(job, begin, end);
    const Chunk chunk(shared + sizeof(Tables) + warp * Chunk::shared_bytes);
    chunk.clear();
    const Lookup lookup(*reinterpret_cast<const Tables*>(shared));
    for (std::uint32_t group = begin + warp; group < end; group += encoding_warps()) {
      encode_group(job, chunk, lookup, group, encoding_warps());
    }
  });
}

}  // namespace
