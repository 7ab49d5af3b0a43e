#pragma once

#include <cstdint>

#include "stages/tile_integer/10_wide_queries/kernel.cuh"
#include "stages/tile_integer/10_wide_queries/lane_rows.cuh"

// Flight 1: sum(lo_extendedprice * lo_discount) of the rows of some dates, quantities and discounts. Nothing
// is joined. Prices are nearly half of the columns' bytes, and few rows want theirs: these are read from
// global memory. Room for a tile's prices would leave a multiprocessor half as many warps.
namespace gsst::tile_integer {
namespace {

class FilterFlight {
public:
  static constexpr std::uint32_t columns = 4;
  static constexpr std::uint32_t copied = 3;
  static constexpr std::uint32_t copied_columns = 0b0111;
  static constexpr std::uint32_t run_columns = 0;

  __device__ FilterFlight(const QueryOnDevice& query, std::uint32_t* /*bits*/, std::uint32_t /*bytes*/)
      : query_(query) {}

  template <typename BlockOf>
  __device__ void add_tile(BlockOf&& block, bool skips_tiles) {
    const LaneBlock<4> dates = block(0);
    const LaneBlock<4> quantities = block(1);
    const LaneBlock<4> discounts = block(2);
    const PackedRange dates_range(dates, query_.filters[0]);
    const PackedRange quantities_range(quantities, query_.filters[1]);
    const PackedRange discounts_range(discounts, query_.filters[2]);
    const bool is_empty = dates_range.is_empty || quantities_range.is_empty || discounts_range.is_empty;
    if (skips_tiles && __all_sync(every_lane, is_empty)) return;
    std::uint32_t rows = rows_in_range(dates, query_.filters[0], dates_range);
    if (!any_rows(rows)) return;
    rows &= rows_in_range(discounts, query_.filters[2], discounts_range);
    if (!any_rows(rows)) return;
    // Where prices are is on its way while quantities are compared.
    const LaneBlock<4> prices = block(3);
    rows &= rows_in_range(quantities, query_.filters[1], quantities_range);
    add_wanted_rows(rows, prices, discounts);
  }

  template <typename Values>
  __device__ void add_row(const Values& values, std::uint32_t row) {
#pragma unroll
    for (std::uint32_t column = 0; column < max_filters; ++column) {
      if (!query_.filters[column].accepts(values.value(column, row))) return;
    }
    add(values.value(3, row), values.value(2, row));
  }

  __device__ unsigned long long total() const {
    return total_;
  }

protected:
  __device__ void add(std::uint32_t price, std::uint32_t discount) {
    total_ += static_cast<unsigned long long>(price) * discount;
  }
  __device__ const QueryOnDevice& query() const {
    return query_;
  }

private:
  // Prices are waited for: several are under way at once.
  __device__ void add_wanted_rows(std::uint32_t rows, const LaneBlock<4>& prices,
                                  const LaneBlock<4>& discounts) {
    constexpr std::uint32_t at_once = 2;
#pragma unroll 1
    while (rows != 0) {
      std::uint32_t of_rows[at_once];
      std::uint32_t factors[at_once];
#pragma unroll
      for (std::uint32_t i = 0; i < at_once; ++i) {
        // Where no row is left, the last one's discount counts for nothing, and its price is not read.
        const std::uint32_t row = lowest_row(rows | 1U << 31);
        of_rows[i] = rows != 0 ? value_of_row(prices, row) : 0;
        factors[i] = value_of_row(discounts, row);
        rows &= rows - 1;
      }
#pragma unroll
      for (std::uint32_t i = 0; i < at_once; ++i) add(of_rows[i], factors[i]);
    }
  }

  const QueryOnDevice& query_;
  unsigned long long total_ = 0;
};

}  // namespace
}  // namespace gsst::tile_integer
