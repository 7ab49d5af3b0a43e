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

// As encode_groups(), with one warp more, which has no chunk.
template <typename Chunk, typename Lookup>
__global__ void __launch_bounds__(Chunk::most_warps * 32) encode_and_check_groups(EncodeJob job) {
  GSST_SHARED_MEMORY(shared);
  using Tables = typename Lookup::Tables;
  const std::uint32_t warp = threadIdx.x / 32;
  const std::uint32_t encoding_warps = blockDim.x / 32 - 1;
  const bool encodes = warp < encoding_warps;
  const Chunk chunk(shared + sizeof(Tables) + (encodes ? warp : 0) * Chunk::shared_bytes);
  if (encodes) chunk.clear();
  for_each_table<Tables>(job, shared, [&](std::uint32_t begin, std::uint32_t end) {
    if (!encodes) return checksum_share(job, begin, end);
    const Lookup lookup(*reinterpret_cast<const Tables*>(shared));
    for (std::uint32_t group = begin + warp; group < end; group += encoding_warps) {
      encode_group(job, chunk, lookup, group, encoding_warps);
    }
  });
}

}  // namespace
