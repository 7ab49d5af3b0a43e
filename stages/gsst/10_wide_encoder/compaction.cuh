#pragma once

#include <cstddef>
#include <cstdint>

#include "stages/gsst/10_wide_encoder/chunks.cuh"

// When the sizes of all splits have decided where each one goes, their codes are copied to the frame.
namespace {

// `Lanes` neighbouring lanes copy `bytes` bytes. Behind them there are as many as make a whole word. All
// loads of a round are on their way before the first of them is stored: the stores could change what is
// loaded, as far as the compiler knows.
template <std::uint32_t Lanes>
__device__ void copy_bytes(const std::uint8_t* from, std::uint8_t* to, std::uint32_t bytes) {
  const std::uint32_t lane = threadIdx.x % Lanes;
  const auto to_unit = static_cast<std::uint32_t>(0 - reinterpret_cast<std::uintptr_t>(to)) % unit_bytes;
  const std::uint32_t head = to_unit < bytes ? to_unit : bytes;
  const std::uint32_t units = (bytes - head) / unit_bytes;
  const std::uint32_t tail = head + units * unit_bytes;
  // Single bytes before and behind the whole units.
  constexpr std::uint32_t rounds = (unit_bytes + Lanes - 1) / Lanes;
  std::uint8_t head_bytes[rounds];
  std::uint8_t tail_bytes[rounds];
#pragma unroll
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const std::uint32_t byte = lane + round * Lanes;
    head_bytes[round] = byte < head ? from[byte] : std::uint8_t{0};
    tail_bytes[round] = tail + byte < bytes ? from[tail + byte] : std::uint8_t{0};
  }
  const auto offset = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(from + head) % 4);
  const auto* const words = reinterpret_cast<const std::uint32_t*>(from + head - offset);
  constexpr std::uint32_t loads = 3;
  for (std::uint32_t first = lane; first < units; first += loads * Lanes) {
    std::uint32_t loaded[loads][5];
#pragma unroll
    for (std::uint32_t load = 0; load < loads; ++load) {
      const std::uint32_t unit = first + load * Lanes;
      const std::uint32_t* const source = words + std::size_t{unit} * 4;
#pragma unroll
      for (unsigned word = 0; word < 4; ++word) loaded[load][word] = unit < units ? source[word] : 0;
      loaded[load][4] = unit < units && offset != 0 ? source[4] : 0;
    }
#pragma unroll
    for (std::uint32_t load = 0; load < loads; ++load) {
      const std::uint32_t unit = first + load * Lanes;
      Unit result = {};
#pragma unroll
      for (unsigned word = 0; word < 4; ++word) {
        result.words[word] = word_at(loaded[load][word], loaded[load][word + 1], offset * 8);
      }
      if (unit < units) reinterpret_cast<Unit*>(to + head)[unit] = result;
    }
  }
#pragma unroll
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const std::uint32_t byte = lane + round * Lanes;
    if (byte < head) to[byte] = head_bytes[round];
    if (tail + byte < bytes) to[tail + byte] = tail_bytes[round];
  }
}

// Where the codes of a split start in the frame. Its block is not raw.
__device__ inline std::uint8_t* codes_in_frame(const EncodeJob& job, std::uint32_t block,
                                               std::uint32_t split) {
  const BlockPlace& place = job.parts.places[block];
  return job.parts.frame + place.payload_offset + place.codes_offset + job.parts.splits_of(block)[split];
}

// A warp copies the codes of a group. Any number of whole warps.
__global__ void copy_groups(EncodeJob job) {
  const std::uint32_t group = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (group >= job.group_count) return;
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t block = group / job.groups_per_block;
  if (job.parts.places[block].layout == BlockLayout::raw) return;
  const std::uint32_t first_split = group % job.groups_per_block * 32;
  const std::uint32_t used_splits = job.parts.cut.used_splits();
  const bool exists = first_split + lane < used_splits;
  std::uint8_t* const own_place = codes_in_frame(job, block, exists ? first_split + lane : first_split);
  const std::uint8_t* from = job.chunks + group * job.group_bytes;
  const std::uint32_t chunk_count = job.chunk_counts[group];
  std::uint32_t copied = 0;
  for (std::uint32_t chunk = 0; chunk < chunk_count; ++chunk) {
    const std::uint32_t codes = reinterpret_cast<const ChunkCounts*>(from)->of_lane[lane];
    const std::uint32_t before = sum_before(codes);
    const std::uint32_t total = __shfl_sync(all_lanes, before + codes, 31);
    const std::uint8_t* const chunk_codes = from + sizeof(ChunkCounts);
    if (chunk_count == 1) {
      // Nothing stands between the splits.
      copy_bytes<32>(chunk_codes, codes_in_frame(job, block, first_split), total);
    } else {
      const auto place = static_cast<std::uint64_t>(own_place + copied - job.parts.frame);
      // A row of a chunk has some 90 bytes of codes, six units: eight lanes are enough, and four rows go side
      // by side.
      constexpr std::uint32_t lanes = 8;
      for (std::uint32_t first = 0; first < 32; first += 32 / lanes) {
        const auto row = static_cast<int>(first + lane / lanes);
        copy_bytes<lanes>(chunk_codes + __shfl_sync(all_lanes, before, row),
                          job.parts.frame + __shfl_sync(all_lanes, place, row),
                          __shfl_sync(all_lanes, codes, row));
      }
    }
    copied += codes;
    from += chunk_bytes(total);
  }
}

}  // namespace
