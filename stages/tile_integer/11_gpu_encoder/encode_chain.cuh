#pragma once

#include <cstdint>
#include <type_traits>

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
  // Of its miniblock `lane` / 8, from the chain's first word.
  std::uint32_t place;
  // Of the chain, in all lanes.
  std::uint32_t words;
};

// All lanes: each value is replaced by its difference from the one before; the chain's first one by anything.
template <typename Number>
__device__ void subtract_neighbours(const EncodeJob& job, ChainOfLane<Number>& values) {
  const unsigned lane = lane_number();
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

// The largest number there is.
template <typename Number>
__device__ Number largest_number(bool is_signed) {
  return is_signed ? ~Number{0} >> 1 : ~Number{0};
}

// All lanes of a warp: the lane's numbers from number `count` of the chain on are replaced by `number`.
template <typename Number>
__device__ void replace_after(std::uint32_t count, Number number, ChainOfLane<Number>& numbers) {
  const auto left =
      static_cast<std::int32_t>(count) - static_cast<std::int32_t>(lane_number() * values_of_lane);
#pragma unroll
  for (unsigned block = 0; block < packed_blocks_of_chain; ++block) {
#pragma unroll
    for (unsigned i = 0; i < values_of_lane; ++i) {
      if (left <= static_cast<std::int32_t>(block * packed_block_values + i)) numbers[block][i] = number;
    }
  }
}

// All lanes of a warp: the smallest number of each packed block, in the order of `Ordered`.
template <typename Ordered, typename Number>
__device__ void find_smallest(const ChainOfLane<Number>& numbers,
                              Number (&smallest)[packed_blocks_of_chain]) {
#pragma unroll
  for (unsigned block = 0; block < packed_blocks_of_chain; ++block) {
    auto of_lane = static_cast<Ordered>(numbers[block][0]);
#pragma unroll
    for (unsigned i = 1; i < values_of_lane; ++i) {
      const auto other = static_cast<Ordered>(numbers[block][i]);
      of_lane = other < of_lane ? other : of_lane;
    }
    smallest[block] = static_cast<Number>(smallest_of_warp(of_lane));
  }
}

// The one of four numbers that is of packed block `lane` % 4.
template <typename Number>
__device__ Number of_own_block(const Number (&numbers)[packed_blocks_of_chain]) {
  const Number low = (lane_number() & 1) != 0 ? numbers[1] : numbers[0];
  const Number high = (lane_number() & 1) != 0 ? numbers[3] : numbers[2];
  return (lane_number() & 2) != 0 ? high : low;
}

// All lanes of a warp whose chain has `count` values and whose widths are known: the places of packed blocks.
template <typename Number, Packing Packed>
__device__ void place_packed_blocks(std::uint32_t count, CodedChain<Number>& chain) {
  constexpr std::uint32_t reference_words = sizeof(Number) / word_bytes;
  const unsigned own_block = lane_number() % packed_blocks_of_chain;
  std::uint32_t words_before_miniblocks = reference_words + 1;
  if (Packed == Packing::chains && own_block == 0) words_before_miniblocks += reference_words;
  chain.block_words = sum_of_bytes(chain.widths) + words_before_miniblocks;
  if (own_block * packed_block_values >= count) chain.block_words = 0;
  std::uint32_t up_to_block = chain.block_words;
#pragma unroll
  for (unsigned distance = 1; distance < packed_blocks_of_chain; distance *= 2) {
    const std::uint32_t other = __shfl_up_sync(every_lane, up_to_block, distance);
    if (own_block >= distance) up_to_block += other;
  }
  chain.start = up_to_block - chain.block_words;
  chain.place = place_of_miniblock(chain.widths, chain.start + words_before_miniblocks);
  chain.words = __shfl_sync(every_lane, up_to_block, packed_blocks_of_chain - 1);
}

// All lanes of a warp whose chain has `count` values, at least 1.
template <typename Number, Packing Packed>
__device__ void code_chain(const EncodeJob& job, std::uint32_t count, CodedChain<Number>& chain) {
  constexpr bool has_base = Packed == Packing::chains;
  const bool is_whole = count == chain_values;
  const bool is_signed = has_base || job.is_signed;
  // It costs no bits: the first difference of a chain.
  const bool has_free_number = has_base && lane_number() == 0;
  ChainOfLane<Number>& values = chain.differences;
  const Number first_value = values[0][0];
  if constexpr (has_base) subtract_neighbours<Number>(job, values);
  // What does not count is no smallest number: the largest there is.
  if (!is_whole) replace_after(count, largest_number<Number>(is_signed), values);
  if (has_free_number) values[0][0] = largest_number<Number>(true);
  Number smallest[packed_blocks_of_chain];
  if (is_signed) {
    find_smallest<std::make_signed_t<Number>>(values, smallest);
  } else {
    find_smallest<Number>(values, smallest);
  }
  // A chain of one value has no difference.
  if (has_base && count == 1) smallest[0] = 0;
  Number bits[packed_blocks_of_chain];
#pragma unroll
  for (unsigned block = 0; block < packed_blocks_of_chain; ++block) {
    for (Number& number : values[block]) number -= smallest[block];
  }
  if (!is_whole) replace_after(count, Number{0}, values);
  if (has_free_number) values[0][0] = 0;
#pragma unroll
  for (unsigned block = 0; block < packed_blocks_of_chain; ++block) {
    const Number(&own)[values_of_lane] = values[block];
    bits[block] = own[0] | own[1] | own[2] | own[3];
  }
  chain.reference = of_own_block(smallest);
  chain.base = has_base ? sign_extended(first_value - smallest[0], spare_bits<Number>(job)) : 0;
  chain.widths = widths_of_own_block(bits);
  place_packed_blocks<Number, Packed>(count, chain);
}

}  // namespace
}  // namespace gsst::tile_integer::encoder
