#pragma once

#include <cstddef>
#include <cstdint>

#include "common/format/bytes.hpp"
#include "common/stage/launch.hpp"

// xxh64 with seed 0, the checksum of frames (FORMAT.md, section 6), by the lanes of one warp. The algorithm
// takes stripes of four 8-byte words, one for each of four sums that nothing connects until the end: that is
// all its parallelism. The warp reads eight stripes at once; lane l keeps sum l % 4.
namespace {

constexpr std::uint64_t xxh_prime_1 = 0x9E3779B185EBCA87;
constexpr std::uint64_t xxh_prime_2 = 0xC2B2AE3D27D4EB4F;
constexpr std::uint64_t xxh_prime_3 = 0x165667B19E3779F9;
constexpr std::uint64_t xxh_prime_4 = 0x85EBCA77C2B2AE63;
constexpr std::uint64_t xxh_prime_5 = 0x27D4EB2F165667C5;

__device__ inline std::uint64_t rotate_left(std::uint64_t value, unsigned bits) {
  return value << bits | value >> (64 - bits);
}

// One word into one sum.
__device__ inline std::uint64_t xxh_round(std::uint64_t sum, std::uint64_t word) {
  return rotate_left(sum + word * xxh_prime_2, 31) * xxh_prime_1;
}

__device__ inline std::uint64_t xxh_word(const std::uint8_t* bytes) {
  // All lanes of a warp go the same way: their words lie 8 bytes apart.
  if (reinterpret_cast<std::uintptr_t>(bytes) % 8 == 0) return *reinterpret_cast<const std::uint64_t*>(bytes);
  return gsst::format::load_little_endian<8>(bytes);
}

// What is left behind the whole stripes, less than 32 bytes.
__device__ inline std::uint64_t xxh_tail(std::uint64_t hash, const std::uint8_t* bytes, std::uint64_t size) {
  std::uint64_t position = 0;
  for (; position + 8 <= size; position += 8) {
    hash ^= xxh_round(0, gsst::format::load_little_endian<8>(bytes + position));
    hash = rotate_left(hash, 27) * xxh_prime_1 + xxh_prime_4;
  }
  for (; position + 4 <= size; position += 4) {
    hash ^= gsst::format::load_little_endian<4>(bytes + position) * xxh_prime_1;
    hash = rotate_left(hash, 23) * xxh_prime_2 + xxh_prime_3;
  }
  for (; position < size; ++position) {
    hash ^= bytes[position] * xxh_prime_5;
    hash = rotate_left(hash, 11) * xxh_prime_1;
  }
  hash = (hash ^ hash >> 33) * xxh_prime_2;
  hash = (hash ^ hash >> 29) * xxh_prime_3;
  return hash ^ hash >> 32;
}

// The checksum of `size` bytes, the same in each lane. All 32 lanes call it with the same arguments.
__device__ inline std::uint64_t warp_checksum(const std::uint8_t* bytes, std::uint64_t size) {
  constexpr unsigned all_lanes = 0xffffffff;
  constexpr std::uint64_t stripe_bytes = 32;
  const unsigned lane = threadIdx.x % 32;
  const unsigned own_sum = lane % 4;
  std::uint64_t sum = 0;
  if (own_sum == 0) sum = xxh_prime_1 + xxh_prime_2;
  if (own_sum == 1) sum = xxh_prime_2;
  if (own_sum == 3) sum -= xxh_prime_1;

  std::uint64_t position = 0;
  for (; position + 8 * stripe_bytes <= size; position += 8 * stripe_bytes) {
    const std::uint64_t word = xxh_word(bytes + position + std::size_t{lane} * 8);
    for (unsigned stripe = 0; stripe < 8; ++stripe) {
      sum = xxh_round(sum, __shfl_sync(all_lanes, word, static_cast<int>(stripe * 4 + own_sum)));
    }
  }
  for (; position + stripe_bytes <= size; position += stripe_bytes) {
    sum = xxh_round(sum, xxh_word(bytes + position + std::size_t{own_sum} * 8));
  }

  std::uint64_t hash = xxh_prime_5;
  if (size >= stripe_bytes) {
    std::uint64_t sums[4];
    for (int i = 0; i < 4; ++i) sums[i] = __shfl_sync(all_lanes, sum, i);
    hash = rotate_left(sums[0], 1) + rotate_left(sums[1], 7) + rotate_left(sums[2], 12) +
           rotate_left(sums[3], 18);
    for (const std::uint64_t merged : sums) {
      hash = (hash ^ xxh_round(0, merged)) * xxh_prime_1 + xxh_prime_4;
    }
  }
  return xxh_tail(hash + size, bytes + position, size - position);
}

}  // namespace
