#pragma once

#include <cstdint>

#include "stages/tile_integer/11_gpu_encoder/encode_values.cuh"
#include "stages/tile_integer/11_gpu_encoder/encode_warp.cuh"

// What the four packed blocks of a warp become: references, widths, and differences from the references.
namespace gsst::tile_integer::encoder {
namespace {

// What is of a packed block is in the lanes whose number modulo 4 is that of the packed block: lanes 0 to 3
// store it at once, and it takes a register instead of four.
template <typename Number>
struct CodedChain {
  // Of the lane's values or, in format dfor, of its differences; 0 where there is none.
  ChainOfLane<Number> differences;
  // Of format dfor, in lane 0.
  Number base;
  // Of packed block `lane` % 4.
  Number reference;
  std::uint32_t widths;
  // Its words, with the base; 0 where it does not exist.
  std::uint32_t block_words;
  // From the chain's first word to it.
  std::uint32_t start;
  // Of the chain, in all lanes.
  std::uint32_t words;
};

// The highest bit: added to signed numbers, it gives them the order of unsigned ones.
template <typename Number>
constexpr Number highest_bit = Number{1} << (8 * sizeof(Number) - 1);

// All lanes: each value is replaced by its difference from the one before; the chain's first one by anything.
template <typename Number>
__device__ void subtract_neighbours(const EncodeJob& job, ChainOfLane<Number>& values) {
  const unsigned lane = threadIdx.x % lanes_of_warp;
  const unsigned lane_before = (lane + lanes_of_warp - 1) % lanes_of_warp;
  const std::uint32_t spare = spare_bits<Number>(job);
  Number last_of_block_before = 0;
#pragma unroll
  for (unsigned block = 0; block < packed_blocks_of_chain; ++block) {
    Number(&own)[values_of_lane] = values[block];
    const Number last = own[values_of_lane - 1];
    // The first lane continues the last one's values of the packed block before.
    const Number before = __shfl_sync(every_lane, lane == lanes_of_warp - 1 ? last_of_block_before : last,
                                      static_cast<int>(lane_before));
    last_of_block_before = last;
#pragma unroll
    for (unsigned i = values_of_lane - 1; i > 0; --i) own[i] -= own[i - 1];
    own[0] -= before;
    if (spare != 0) {
#pragma unroll
      for (Number& difference : own) difference = sign_extended(difference, spare);
    }
  }
}

// Which of a lane's values count.
template <Packing Packed, bool IsWhole>
class CountedValues {
public:
  // Of a chain of `count` values, 512 if it is whole.
  __device__ explicit CountedValues(std::uint32_t count)
      : left_(static_cast<std::int32_t>(count) - static_cast<std::int32_t>(first_of_lane())) {}

  // Whether it is there, and none that costs no bits: the first difference of a chain.
  __device__ bool counts(unsigned block, unsigned i) const {
    if (Packed == Packing::chains && block == 0 && i == 0 && first_of_lane() == 0) return false;
    return IsWhole || left_ > static_cast<std::int32_t>(block * packed_block_values + i);
  }

private:
  __device__ static unsigned first_of_lane() { return threadIdx.x % lanes_of_warp * values_of_lane; }

  // Values from the lane's first one to the end of the chain.
  std::int32_t left_;
};

// All lanes of a warp: replaces the numbers of packed block `block`, to which `change` has to be added to
// give them the order of unsigned ones, by their differences from the smallest. The result is the smallest,
// changed.
template <typename Number, Packing Packed, bool IsWhole>
__device__ Number subtract_smallest(Number (&numbers)[values_of_lane], unsigned block, Number change,
                                    const CountedValues<Packed, IsWhole>& counted) {
  Number smallest = ~Number{0};
#pragma unroll
  for (unsigned i = 0; i < values_of_lane; ++i) {
    numbers[i] += change;
    // What does not count is no smallest number: the largest there is.
    if (!counted.counts(block, i)) numbers[i] = ~Number{0};
    smallest = numbers[i] < smallest ? numbers[i] : smallest;
  }
  smallest = smallest_of_warp(smallest);
#pragma unroll
  for (unsigned i = 0; i < values_of_lane; ++i) {
    numbers[i] = counted.counts(block, i) ? numbers[i] - smallest : Number{0};
  }
  return smallest;
}

// All lanes of a warp whose chain has `count` values and whose widths are known: the places of packed blocks.
template <typename Number, Packing Packed, bool IsWhole>
__device__ void place_packed_blocks(std::uint32_t count, CodedChain<Number>& chain) {
  constexpr std::uint32_t reference_words = sizeof(Number) / word_bytes;
  const unsigned own_block = threadIdx.x % packed_blocks_of_chain;
  chain.block_words = sum_of_bytes(chain.widths) + reference_words + 1;
  if (Packed == Packing::chains && own_block == 0) chain.block_words += reference_words;
  if (!IsWhole && own_block * packed_block_values >= count) chain.block_words = 0;
  std::uint32_t up_to_block = chain.block_words;
#pragma unroll
  for (unsigned distance = 1; distance < packed_blocks_of_chain; distance *= 2) {
    const std::uint32_t other = __shfl_up_sync(every_lane, up_to_block, distance);
    if (own_block >= distance) up_to_block += other;
  }
  chain.start = up_to_block - chain.block_words;
  chain.words = __shfl_sync(every_lane, up_to_block, packed_blocks_of_chain - 1);
}

// All lanes of a warp whose chain has `count` values, at least 1; if it is whole, 512.
template <typename Number, Packing Packed, bool IsWhole>
__device__ void code_chain(const EncodeJob& job, std::uint32_t count, CodedChain<Number>& chain) {
  constexpr bool has_base = Packed == Packing::chains;
  ChainOfLane<Number>& values = chain.differences;
  const Number first_value = values[0][0];
  if constexpr (has_base) subtract_neighbours<Number>(job, values);
  const Number change = has_base || job.is_signed ? highest_bit<Number> : 0;
  const CountedValues<Packed, IsWhole> counted(count);
  Number bits[packed_blocks_of_chain];
#pragma unroll
  for (unsigned block = 0; block < packed_blocks_of_chain; ++block) {
    Number(&own)[values_of_lane] = values[block];
    Number smallest = subtract_smallest(own, block, change, counted);
    // A chain of one value has no difference.
    if (has_base && block == 0 && count == 1) smallest = change;
    if (threadIdx.x % packed_blocks_of_chain == block) chain.reference = smallest - change;
    bits[block] = own[0] | own[1] | own[2] | own[3];
  }
  chain.base = has_base ? sign_extended(first_value - chain.reference, spare_bits<Number>(job)) : 0;
  chain.widths = widths_of_own_block(bits);
  place_packed_blocks<Number, Packed, IsWhole>(count, chain);
}

}  // namespace
}  // namespace gsst::tile_integer::encoder
