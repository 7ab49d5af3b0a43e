#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/orc/batch_on_device.cuh"
#include "stages/codag/orc/orc_arrays.hpp"
#include "stages/codag/shared/lane_masks.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// What Arrow's arrays have as bits, and the words of row groups.
namespace gsst::codag::orc {
namespace {

// Of all rows of the array, the lowest bit of a word first. Words are 0 before: row groups share some.
template <typename IsSet>
__device__ inline void write_bits(std::uint32_t* words, std::uint64_t first_row, std::uint32_t rows,
                                  IsSet&& is_set) {
  const std::uint64_t end = first_row + rows;
  for (std::uint64_t word = first_row / lanes_of_warp; word * lanes_of_warp < end; ++word) {
    const std::uint64_t row = word * lanes_of_warp + lane_number();
    const bool is_of_group = row >= first_row && row < end;
    const std::uint32_t bits = __ballot_sync(
        every_lane, is_of_group && is_set(static_cast<std::uint32_t>(is_of_group ? row - first_row : 0)));
    if (lane_number() == 0) atomicOr(&words[word], bits);
  }
}

// Warps for all row groups: which rows are not null.
__global__ void write_orc_validity(BatchOnDevice batch, std::uint32_t* validity) {
  const std::uint32_t number = warp_number();
  if (number >= batch.group_count) return;
  const BatchGroup& group = batch.groups[number];
  const BatchStripe& stripe = batch.stripes[group.stripe];
  write_bits(validity, stripe.first_row + group.first_row, group.rows,
             [&](std::uint32_t row) { return is_present(batch, stripe, group.first_row + row); });
}

// Warps for all row groups: bytes of 0 and 1 as bits.
__global__ void write_orc_booleans(BatchOnDevice batch, std::uint32_t* values) {
  const std::uint32_t number = warp_number();
  if (number >= batch.group_count) return;
  const BatchGroup& group = batch.groups[number];
  const std::uint64_t first_row = batch.stripes[group.stripe].first_row + group.first_row;
  write_bits(values, first_row, group.rows,
             [&](std::uint32_t row) { return batch.output[first_row + row] != 0; });
}

// A warp: rows that are null.
__global__ void count_orc_nulls(BatchOnDevice batch, std::uint64_t* nulls) {
  std::uint64_t count = 0;
  for (std::uint32_t stripe = lane_number(); stripe < batch.stripe_count; stripe += lanes_of_warp) {
    count += batch.stripes[stripe].rows - batch.stripe_values[stripe];
  }
  count = sum_up_to_lane(count);
  if (lane_number() == lanes_of_warp - 1) *nulls = count;
}

// Threads for all row groups: what is wrong first, in the numbers of OrcArrayStatus. A wrong position leaves
// all of its stripe undecoded.
__global__ void write_orc_status(BatchOnDevice batch, std::uint32_t* status) {
  const std::uint32_t number = blockIdx.x * blockDim.x + threadIdx.x;
  if (number >= batch.group_count) return;
  const std::uint32_t stripe = batch.groups[number].stripe;
  const auto or_position = [](std::uint32_t word, std::uint32_t stripe_is_wrong) {
    return word == 0 && stripe_is_wrong != 0 ? wrong_position : word;
  };
  status[number] = word_of_row_group(
      or_position(batch.present_status[number], batch.present_is_wrong[stripe]),
      or_position(batch.data_status[number], batch.data_is_wrong[stripe]), batch.value_status[number]);
}

}  // namespace
}  // namespace gsst::codag::orc
