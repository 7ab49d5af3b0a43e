#pragma once

#include <cstddef>
#include <cstdint>

#include "common/stage/shared_memory.hpp"
#include "stages/gsst/10_wide_encoder/chunks.cuh"

// When the sizes of all splits have decided where each one goes, their codes are copied to the frame. Where a
// group has one chunk, the codes of its lanes come one behind the other.
namespace {

// Code bytes of a group that are put together in shared memory; of more, each lane copies its own.
constexpr std::uint32_t most_packed_bytes = 32 * long_row_bytes;
// As many words of a lane are on their way at once.
constexpr std::uint32_t words_on_their_way = 16;

// Shared memory of a warp. The codes stand as far behind the start of the first unit as they do in the frame.
struct PackedCodes {
  Unit units[most_packed_bytes / unit_bytes + 1];
};

// Where the codes of a split start in the frame. Its block is not raw.
__device__ inline std::uint8_t* codes_in_frame(const EncodeJob& job, std::uint32_t block,
                                               std::uint32_t split) {
  const BlockPlace& place = job.parts.places[block];
  return job.parts.frame + place.payload_offset + place.codes_offset + job.parts.splits_of(block)[split];
}

// The largest of the lanes' values.
__device__ inline std::uint32_t largest_of_warp(std::uint32_t value) {
  for (int mask = 16; mask > 0; mask /= 2) {
    const std::uint32_t other = __shfl_xor_sync(all_lanes, value, mask);
    if (other > value) value = other;
  }
  return value;
}

// Calls use(number, word) for each of the lane's words of codes, of which `words` is the first. Bytes behind
// the last code mean nothing.
template <typename Use>
__device__ void for_each_code_word(const std::uint32_t* words, std::uint32_t codes, Use use) {
  const std::uint32_t count = words_of_codes(codes);
  for (std::uint32_t first = 0; first < count; first += words_on_their_way) {
    std::uint32_t loaded[words_on_their_way];
#pragma unroll
    for (std::uint32_t i = 0; i < words_on_their_way; ++i) {
      loaded[i] = first + i < count ? words[std::size_t{first + i} * line_words] : 0;
    }
#pragma unroll
    for (std::uint32_t i = 0; i < words_on_their_way; ++i) {
      if (first + i < count) use(first + i, loaded[i]);
    }
  }
}

// The word that starts `bits`, less than 32, before `high`: its lowest bits are the highest of `low`.
__device__ inline std::uint32_t word_before(std::uint32_t low, std::uint32_t high, std::uint32_t bits) {
  return static_cast<std::uint32_t>((std::uint64_t{high} << 32 | low) >> (32 - bits));
}

// All lanes: puts the lanes' codes one behind the other, from byte `begin` on; this lane's come behind
// `before` of the others.
__device__ inline void pack_codes(const std::uint32_t* words, std::uint32_t codes, std::uint32_t begin,
                                  std::uint32_t before, std::uint32_t total, PackedCodes& packed) {
  for (std::uint32_t unit = threadIdx.x % 32; unit * unit_bytes < begin + total; unit += 32) {
    packed.units[unit] = Unit();
  }
  __syncwarp();
  auto* const to = reinterpret_cast<std::uint32_t*>(packed.units) + (begin + before) / 4;
  const std::uint32_t bits = (begin + before) % 4 * 8;
  const std::uint32_t last = words_of_codes(codes) - 1;
  std::uint32_t low = 0;
  for_each_code_word(words, codes, [&](std::uint32_t number, std::uint32_t word) {
    if (number == last && codes % 4 != 0) word &= 0xffffffff >> (32 - codes % 4 * 8);
    const std::uint32_t value = word_before(low, word, bits);
    // The first and the last words are shared with other lanes.
    if (number == 0 || number == last) {
      atomicOr(&to[number], value);
    } else {
      to[number] = value;
    }
    low = word;
  });
  if (codes != 0 && bits != 0) {
    const std::uint32_t rest = word_before(low, 0, bits);
    if (rest != 0) atomicOr(&to[last + 1], rest);
  }
  __syncwarp();
}

// All lanes: bytes `begin` to `end` of `packed` to the same bytes behind `to`, an address that 16 divides.
__device__ inline void write_packed(const PackedCodes& packed, std::uint8_t* to, std::uint32_t begin,
                                    std::uint32_t end) {
  const std::uint32_t lane = threadIdx.x % 32;
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(packed.units);
  const std::uint32_t first_whole = begin == 0 ? 0 : 1;
  const std::uint32_t open = end / unit_bytes;
  for (std::uint32_t unit = first_whole + lane; unit < open; unit += 32) {
    reinterpret_cast<Unit*>(to)[unit] = packed.units[unit];
  }
  // The others are shared with what stands before and behind.
  const std::uint32_t byte = lane < unit_bytes ? lane : open * unit_bytes + lane % unit_bytes;
  const bool is_wanted = lane < unit_bytes ? begin != 0 : open >= first_whole;
  if (is_wanted && byte >= begin && byte < end) to[byte] = bytes[byte];
}

// A lane copies its own codes.
__device__ inline void copy_codes(const std::uint32_t* words, std::uint32_t codes, std::uint8_t* to) {
  for_each_code_word(words, codes, [&](std::uint32_t number, std::uint32_t word) {
    for (std::uint32_t byte = 0; byte < 4 && number * 4 + byte < codes; ++byte) {
      to[std::size_t{number} * 4 + byte] = static_cast<std::uint8_t>(word >> (byte * 8));
    }
  });
}

// All lanes: asks for the lines from that of the lane's word `word` on, a line a lane; most chunks have less.
__device__ inline void prefetch_lines(const EncodeJob& job, std::uint32_t group, const std::uint32_t* word) {
  const auto* const line =
      reinterpret_cast<const std::uint8_t*>(word + std::size_t{threadIdx.x % 32} * line_words);
  if (line < job.chunks + (group + 1) * job.group_bytes) prefetch(line);
}

// A warp copies the codes of a group. Any number of whole warps with PackedCodes each.
__global__ void copy_groups(EncodeJob job) {
  GSST_SHARED_MEMORY(shared);
  PackedCodes& packed = reinterpret_cast<PackedCodes*>(shared)[threadIdx.x / 32];
  const std::uint32_t group = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (group >= job.group_count) return;
  const std::uint32_t lane = threadIdx.x % 32;
  const auto* from = reinterpret_cast<const std::uint32_t*>(job.chunks + group * job.group_bytes) + lane;
  prefetch_lines(job, group, from);
  // Asked for before it is known whether they are needed.
  const std::uint32_t chunk_count = job.chunk_counts[group];
  const std::uint32_t first_codes = computed_here(*from);
  const std::uint32_t block = group / job.groups_per_block;
  if (job.parts.places[block].layout == BlockLayout::raw) return;
  const std::uint32_t first_split = group % job.groups_per_block * 32;
  if (chunk_count == 1) {
    const std::uint32_t before = sum_before(first_codes);
    const std::uint32_t total = __shfl_sync(all_lanes, before + first_codes, 31);
    if (total + unit_bytes <= sizeof(PackedCodes)) {
      std::uint8_t* const to = codes_in_frame(job, block, first_split);
      const auto begin = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(to) % unit_bytes);
      pack_codes(from + line_words, first_codes, begin, before, total, packed);
      write_packed(packed, to - begin, begin, begin + total);
      return;
    }
  }
  const bool exists = first_split + lane < job.parts.cut.used_splits();
  std::uint8_t* to = codes_in_frame(job, block, exists ? first_split + lane : first_split);
  for (std::uint32_t chunk = 0; chunk < chunk_count; ++chunk) {
    const std::uint32_t codes = *from;
    copy_codes(from + line_words, codes, to);
    to += codes;
    from += std::size_t{1 + largest_of_warp(words_of_codes(codes))} * line_words;
  }
}

}  // namespace
