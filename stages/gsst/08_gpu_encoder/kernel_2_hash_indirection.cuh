#pragma once

#include <cstdint>

#include "stages/gsst/08_gpu_encoder/kernel_1_naive.cuh"

// The hash table shrinks so far that it fits into shared memory: a byte a slot says which of a few entries of
// 12 bytes it is (paper 4.2).
namespace {

// Copies `bytes` bytes, a multiple of 4, to shared memory. All threads of the block call it.
__device__ inline void copy_to_shared(std::uint8_t* shared, const std::uint8_t* from, std::uint32_t bytes) {
  auto* const to_words = reinterpret_cast<std::uint32_t*>(shared);
  const auto* const from_words = reinterpret_cast<const std::uint32_t*>(from);
  for (std::uint32_t word = threadIdx.x; word < bytes / 4; word += blockDim.x) {
    to_words[word] = from_words[word];
  }
  __syncthreads();
}

// The symbol of 3 or more bytes at the start of a position, in tables of which `shared` holds the hash table;
// no_match if there is none.
__device__ inline Match find_long(const std::uint8_t* shared, std::uint32_t low, std::uint32_t high,
                                  std::uint32_t remaining) {
  const std::uint32_t number = shared[CompactShape::entry_of_slot + symbol_hash_slot(low)];
  const HashEntry& entry = reinterpret_cast<const HashEntry*>(shared + CompactShape::entries)[number];
  const std::uint32_t length = length_of(entry.match);
  const std::uint32_t low_mask = length == 3 ? 0xffffff : 0xffffffff;
  // A shift by 32 is none: lengths up to 4 look at the low word only.
  const std::uint32_t high_mask = length > 4 ? 0xffffffff >> ((8 - length) * 8 & 31) : 0;
  const bool equal = ((low ^ entry.low) & low_mask) == 0 && ((high ^ entry.high) & high_mask) == 0;
  return equal && length <= remaining ? entry.match : no_match;
}

// Symbols of 1 and 2 bytes are still found in FSST's 128 KB in global memory.
class IndirectLookup {
public:
  GSST_HOST_DEVICE static std::uint32_t shared_bytes(const CompactShape& shape) { return shape.pair_words(); }

  __device__ IndirectLookup(const EncodeJob& job, std::uint32_t block, std::uint8_t* shared)
      : tables_(job.fsst_tables[job.parts.table_of(block)]), shared_(shared) {
    copy_to_shared(shared, job.compact_tables + std::size_t{job.parts.table_of(block)} * job.shape.bytes(),
                   job.shape.pair_words());
  }

  __device__ Match find(std::uint32_t low, std::uint32_t high, std::uint32_t remaining) const {
    const Match match = find_long(shared_, low, high, remaining);
    if (match != no_match) return match;
    const Match pair = tables_.short_codes[low & 0xffff];
    return length_of(pair) <= remaining ? pair : make_match(shared_[CompactShape::singles + (low & 0xff)], 1);
  }

private:
  const FsstTables& tables_;
  const std::uint8_t* shared_;
};

}  // namespace
