#pragma once

#include <cstddef>
#include <cstdint>

#include "common/format/bytes.hpp"
#include "common/stage/launch.hpp"

// xxh64 with seed 0, of which the checksums of frames are made (FORMAT.md, section 6). The algorithm takes
// stripes of four 8-byte words, one for each of four sums that nothing connects until the end. Four lanes
// make a checksum, each of them a sum; the lanes of a warp make eight.
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

constexpr unsigned checksum_lanes = 4;

constexpr std::uint64_t stripe_bytes = 32;

// The sum of a lane, which starts at `sum`, over its words of `stripes` whole stripes; `own` is the first.
// `Loads` words are on their way at any time: a chain of operations is shorter than the way to memory.
template <unsigned Loads, typename LoadWord>
__device__ std::uint64_t xxh_sum(std::uint64_t sum, const std::uint8_t* own, std::uint64_t stripes,
                                 LoadWord load) {
  std::uint64_t stripe = 0;
  if (stripes >= Loads) {
    std::uint64_t words[Loads];
#pragma unroll
    for (unsigned i = 0; i < Loads; ++i) words[i] = load(own + i * stripe_bytes);
    for (; stripe + std::uint64_t{2} * Loads <= stripes; stripe += Loads) {
      own += Loads * stripe_bytes;
#pragma unroll
      for (unsigned i = 0; i < Loads; ++i) {
        sum = xxh_round(sum, words[i]);
        words[i] = load(own + i * stripe_bytes);
      }
    }
    own += Loads * stripe_bytes;
    stripe += Loads;
#pragma unroll
    for (unsigned i = 0; i < Loads; ++i) sum = xxh_round(sum, words[i]);
  }
  for (; stripe < stripes; ++stripe) {
    sum = xxh_round(sum, load(own));
    own += stripe_bytes;
  }
  return sum;
}

// Words on their way to each lane that has nothing else to do meanwhile.
constexpr unsigned most_checksum_loads = 16;

// The sum of lane `own_sum` of four over the `stripes` whole stripes from `bytes` on.
template <unsigned Loads>
__device__ std::uint64_t xxh_sum(const std::uint8_t* bytes, std::uint64_t stripes, unsigned own_sum) {
  std::uint64_t sum = 0;
  if (own_sum == 0) sum = xxh_prime_1 + xxh_prime_2;
  if (own_sum == 1) sum = xxh_prime_2;
  if (own_sum == 3) sum -= xxh_prime_1;
  const std::uint8_t* const own = bytes + std::size_t{own_sum} * 8;
  if (reinterpret_cast<std::uintptr_t>(own) % 8 == 0) {
    return xxh_sum<Loads>(sum, own, stripes, [](const std::uint8_t* word) {
      return *reinterpret_cast<const std::uint64_t*>(word);
    });
  }
  return xxh_sum<4>(sum, own, stripes, [](const std::uint8_t* word) {
    return std::uint64_t{gsst::format::load_little_endian<8>(word)};
  });
}

// The checksum of `size` bytes, the same in each of the four lanes that call it with the same arguments. All
// lanes of the warp call it; `size` may be 0.
template <unsigned Loads = most_checksum_loads>
__device__ std::uint64_t checksum_of_four_lanes(const std::uint8_t* bytes, std::uint64_t size) {
  constexpr unsigned all_lanes_of_warp = 0xffffffff;
  const std::uint64_t stripes = size / stripe_bytes;
  const std::uint64_t sum = xxh_sum<Loads>(bytes, stripes, threadIdx.x % checksum_lanes);
  __syncwarp();
  std::uint64_t sums[checksum_lanes];
  for (unsigned i = 0; i < checksum_lanes; ++i) {
    sums[i] = __shfl_sync(all_lanes_of_warp, sum, static_cast<int>(i), checksum_lanes);
  }
  std::uint64_t hash = xxh_prime_5;
  if (stripes != 0) {
    hash = rotate_left(sums[0], 1) + rotate_left(sums[1], 7) + rotate_left(sums[2], 12) +
           rotate_left(sums[3], 18);
    for (const std::uint64_t merged : sums) {
      hash = (hash ^ xxh_round(0, merged)) * xxh_prime_1 + xxh_prime_4;
    }
  }
  const std::uint64_t hashed = stripes * stripe_bytes;
  return xxh_tail(hash + size, bytes + hashed, size - hashed);
}

}  // namespace
