#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/orc/batch_on_device.cuh"
#include "stages/codag/orc/list_sums.cuh"
#include "stages/codag/shared/lane_masks.cuh"
#include "stages/codag/shared/plain_values.cuh"

// From values to rows: nulls have none.
namespace gsst::codag::orc {
namespace {

// Warps for all row groups: rows that are not null.
__global__ void count_orc_values(BatchOnDevice batch) {
  const std::uint32_t number = warp_number();
  if (number >= batch.group_count) return;
  const BatchGroup& group = batch.groups[number];
  const BatchStripe& stripe = batch.stripes[group.stripe];
  std::uint32_t count = 0;
  for (std::uint32_t row = lane_number(); row < group.rows; row += lanes_of_warp) {
    if (is_present(batch, stripe, group.first_row + row)) ++count;
  }
  count = sum_up_to_lane(count);
  if (lane_number() == lanes_of_warp - 1) batch.group_values[number] = count;
}

// Warps for all stripes: values before each row group.
__global__ void find_orc_values(BatchOnDevice batch) {
  const std::uint32_t number = warp_number();
  if (number >= batch.stripe_count) return;
  sum_up_list(batch.stripes[number].groups, batch.group_values, batch.value_begins,
              batch.stripe_values[number]);
}

// How the values of a column are stored in the batch's memory, and in the output.
struct ValuesOfColumn {
  // 8, 1, or 0 for a bit.
  std::uint32_t stored_bytes;
  std::uint32_t output_bytes;
  std::int64_t null_value;
};

__device__ inline std::int64_t stored_value(const ValuesOfColumn& column, const std::uint8_t* values,
                                            std::uint32_t number) {
  if (column.stored_bytes == 0) return values[number / 8] >> (7 - number % 8) & 1;
  if (column.stored_bytes == 1) return static_cast<std::int8_t>(values[number]);
  return reinterpret_cast<const std::int64_t*>(values)[number];
}

// Warps for all row groups: writes the values of rows, and checks that the type has them.
__global__ void write_orc_rows(BatchOnDevice batch, ValuesOfColumn column) {
  const std::uint32_t number = warp_number();
  if (number >= batch.group_count) return;
  const BatchGroup& group = batch.groups[number];
  const BatchStripe& stripe = batch.stripes[group.stripe];
  const std::uint8_t* const values = batch.values + stripe.value_offset;
  const PlainValues<> output(batch.output + (stripe.first_row + group.first_row) * column.output_bytes,
                             column.output_bytes);
  std::uint32_t next = batch.value_begins[number];
  std::uint32_t status = 0;
  for (std::uint32_t first = 0; first < group.rows; first += lanes_of_warp) {
    const std::uint32_t row = first + lane_number();
    const bool has_value = row < group.rows && is_present(batch, stripe, group.first_row + row);
    const std::uint32_t present = __ballot_sync(every_lane, has_value);
    const std::uint32_t place = next + count_of_ones(present & lower_lanes());
    const std::int64_t value = has_value ? stored_value(column, values, place) : column.null_value;
    if (row < group.rows) output.store(row, static_cast<std::uint64_t>(value));
    const bool is_wrong = has_value && (value < stripe.least || value > stripe.most);
    const std::uint32_t wrong = __ballot_sync(every_lane, is_wrong);
    if (is_wrong && status == 0 && (wrong & lower_lanes()) == 0) {
      batch.value_status[number] = place + 1;
      batch.wrong_values[number] = value;
    }
    status |= wrong;
    next += count_of_ones(present);
  }
}

}  // namespace
}  // namespace gsst::codag::orc
