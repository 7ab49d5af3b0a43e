#pragma once

#include <cstdint>

#include "stages/tile_integer/11_gpu_encoder/encode_job.cuh"

// The values of a warp: a chain of four packed blocks. Lane l has values 4 l to 4 l + 3 of each packed block,
// so that a warp reads whole lines of memory and a miniblock is eight lanes.
namespace gsst::tile_integer::encoder {
namespace {

// What one access reads.
struct alignas(16) Vector {
  std::uint32_t words[4];
};
constexpr unsigned vector_bytes = sizeof(Vector);
constexpr unsigned vector_words = vector_bytes / word_bytes;

// Where the bytes of a warp's values are.
enum class Memory {
  // In global memory, from which each is read once: past the caches' other contents.
  input,
  shared
};

template <Memory From>
__device__ Vector load_vector(const std::uint8_t* from) {
#if defined(__CUDA_ARCH__)
  if constexpr (From == Memory::input) {
    const uint4 loaded = __ldcs(reinterpret_cast<const uint4*>(from));
    return {{loaded.x, loaded.y, loaded.z, loaded.w}};
  }
#endif
  return *reinterpret_cast<const Vector*>(from);
}

// Values as numbers of 32 or 64 bits, extended with their sign where they have one.
template <typename Number>
using ChainOfLane = Number[packed_blocks_of_chain][values_of_lane];

// The lowest bits of a number, as a signed one.
__device__ inline std::uint32_t sign_extended(std::uint32_t number, std::uint32_t spare_bits) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(number << spare_bits) >> spare_bits);
}
__device__ inline std::uint64_t sign_extended(std::uint64_t number, std::uint32_t /*spare_bits*/) {
  return number;
}

// Bits that a Number has more than a value.
template <typename Number>
__device__ std::uint32_t spare_bits(const EncodeJob& job) {
  return 8 * (static_cast<std::uint32_t>(sizeof(Number)) - job.value_bytes);
}

// Four values that are whole words: `from` is a multiple of 16.
template <Memory From, typename Number>
__device__ void load_words(const std::uint8_t* from, Number (&values)[values_of_lane]) {
  if constexpr (sizeof(Number) == 4) {
    const Vector vector = load_vector<From>(from);
#pragma unroll
    for (unsigned i = 0; i < values_of_lane; ++i) values[i] = vector.words[i];
  } else {
    const Vector low = load_vector<From>(from);
    const Vector high = load_vector<From>(from + vector_bytes);
    values[0] = std::uint64_t{low.words[1]} << 32 | low.words[0];
    values[1] = std::uint64_t{low.words[3]} << 32 | low.words[2];
    values[2] = std::uint64_t{high.words[1]} << 32 | high.words[0];
    values[3] = std::uint64_t{high.words[3]} << 32 | high.words[2];
  }
}

// Four values of 1 or 2 bytes: `from` is a multiple of their bytes together. Both types are signed.
__device__ inline void load_narrow(const std::uint8_t* from, std::uint32_t value_bytes,
                                   std::uint32_t (&values)[values_of_lane]) {
  const auto* const words = reinterpret_cast<const std::uint32_t*>(from);
  if (value_bytes == 1) {
#pragma unroll
    for (unsigned i = 0; i < values_of_lane; ++i) values[i] = sign_extended(words[0] >> 8 * i, 24);
  } else {
#pragma unroll
    for (unsigned i = 0; i < values_of_lane; ++i) values[i] = sign_extended(words[i / 2] >> i % 2 * 16, 16);
  }
}

// The values of the lane, of a whole chain whose bytes start at `from`, a multiple of 16 or of the bytes of
// four values.
template <Memory From, typename Number>
__device__ void load_whole_chain(const std::uint8_t* from, std::uint32_t value_bytes,
                                 ChainOfLane<Number>& values) {
  const std::uint32_t values_before = lane_number() * values_of_lane;
  if constexpr (sizeof(Number) == 4) {
    if (value_bytes < sizeof(Number)) {
#pragma unroll
      for (unsigned block = 0; block < packed_blocks_of_chain; ++block) {
        const std::uint32_t before = block * packed_block_values + values_before;
        load_narrow(from + before * value_bytes, value_bytes, values[block]);
      }
      return;
    }
  }
#pragma unroll
  for (unsigned block = 0; block < packed_blocks_of_chain; ++block) {
    load_words<From>(from + values_before * sizeof(Number) + block * packed_block_values * sizeof(Number),
                     values[block]);
  }
}

// All lanes of a warp: the values of a chain that starts at `from` and has `count` of them, 512 but at the
// block's end; those that there are not are 0. `scratch` is shared memory for the bytes of a whole
// chain, at a multiple of 16. It is used where vectors cannot be read: where the chain is not whole, or its
// address is no multiple of 16, so that it is not `is_aligned`.
template <typename Number>
__device__ void load_chain(const std::uint8_t* from, bool is_aligned, std::uint32_t value_bytes,
                           std::uint32_t count, std::uint8_t* scratch, ChainOfLane<Number>& values) {
  if (count == chain_values && is_aligned) {
    load_whole_chain<Memory::input, Number>(from, value_bytes, values);
    return;
  }
  const unsigned lane = lane_number();
  const std::uint32_t bytes = count * value_bytes;
#pragma unroll 1
  for (std::uint32_t vector = lane; vector < chain_values * value_bytes / vector_bytes;
       vector += lanes_of_warp) {
    reinterpret_cast<Vector*>(scratch)[vector] = {{0, 0, 0, 0}};
  }
  __syncwarp();
#pragma unroll 1
  for (std::uint32_t byte = lane; byte < bytes; byte += lanes_of_warp) scratch[byte] = from[byte];
  __syncwarp();
  load_whole_chain<Memory::shared, Number>(scratch, value_bytes, values);
  __syncwarp();
}

}  // namespace
}  // namespace gsst::tile_integer::encoder
