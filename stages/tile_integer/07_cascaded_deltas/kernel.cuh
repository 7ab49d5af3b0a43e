#pragma once

#include <cstddef>
#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/shared/block_sum.cuh"
#include "stages/tile_integer/shared/cascade.cuh"
#include "stages/tile_integer/shared/frame_part.cuh"
#include "stages/tile_integer/shared/load_value.cuh"

// Delta+FOR+BitPack (paper, section 9.2): a kernel for each layer of format `dfor`.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::chain_values;

constexpr std::uint32_t warps_of_thread_block = packed_block_values / 32;
// Of a chain, those that a thread sums: neighbours.
constexpr std::uint32_t values_of_thread = chain_values / packed_block_values;

// All kernels have thread blocks of packed_block_values threads, parts_of() of them; a part is a chain.

// The first: bits of differences, without references, to `differences`, which has the output's size. With
// unpack_shared_bytes() of shared memory.
__global__ void unpack_differences(stage::FrameOnDevice frame, std::uint8_t* differences,
                                   std::uint32_t part_bytes) {
  GSST_SHARED_MEMORY(memory);
  const FramePart part(frame, differences, part_bytes);
  if (!part.has_values()) return;
  unpack_tile<true>(CascadeTile(part), memory, part.block().output);
}

// The second: their references are added in place.
__global__ void add_references_in_place(stage::FrameOnDevice frame, std::uint8_t* differences,
                                        std::uint32_t part_bytes) {
  const FramePart part(frame, differences, part_bytes);
  if (!part.has_values()) return;
  add_references<true>(CascadeTile(part), part.block().output, part.block().output);
}

// All threads: values are the sums of the block's `differences` up to their own, and of the chain's base.
template <typename Number>
__device__ inline void sum_chain(const CascadeTile& chain, std::uint8_t* memory,
                                 const std::uint8_t* differences, std::uint8_t* output) {
  const std::uint32_t value_bytes = chain.type.value_bytes;
  auto* const sums = reinterpret_cast<Number*>(memory);
  Number* const numbers = sums + warps_of_thread_block;
  for (std::uint32_t block = 0; block < packed_blocks_of_chain; ++block) {
    const std::uint64_t index = chain.index(block);
    numbers[block * packed_block_values + threadIdx.x] =
        index < chain.values ? static_cast<Number>(load_value(differences + index * value_bytes, value_bytes))
                             : 0;
  }
  __syncthreads();
  const std::uint64_t base =
      reference_of(chain.payload, chain.payload.start(chain.first_packed_block), chain.type.reference_words);
  sum_in_place<Number, packed_block_values, values_of_thread>(numbers, static_cast<Number>(base), sums);
  __syncthreads();
  for (std::uint32_t block = 0; block < packed_blocks_of_chain; ++block) {
    const std::uint64_t index = chain.index(block);
    if (index >= chain.values) return;
    store_value(output + index * value_bytes, numbers[block * packed_block_values + threadIdx.x],
                value_bytes);
  }
}

// The third. With sum_shared_bytes() of shared memory.
__global__ void sum_differences(stage::FrameOnDevice frame, const std::uint8_t* differences,
                                std::uint8_t* output, std::uint32_t* status, std::uint32_t part_bytes) {
  GSST_SHARED_MEMORY(memory);
  const FramePart part(frame, output, part_bytes);
  if (!part.begin(status)) return;
  const CascadeTile chain(part);
  part.copy_rest(chain.payload, chain.type.value_bytes);
  // Of all threads or of none: barriers follow.
  if (chain.packed_blocks == 0) return;
  const std::uint8_t* const of_block = differences + (part.block().output - output);
  if (chain.type.value_bytes == 8) {
    sum_chain<std::uint64_t>(chain, memory, of_block, part.block().output);
  } else {
    sum_chain<std::uint32_t>(chain, memory, of_block, part.block().output);
  }
}

// On the host.

inline std::size_t sum_shared_bytes(const stage::FrameOnDevice& frame) {
  const std::size_t number_bytes = extreme_shape(frame, false).value_bytes == 8 ? 8 : 4;
  return (warps_of_thread_block + chain_values) * number_bytes;
}

}  // namespace
}  // namespace gsst::tile_integer
