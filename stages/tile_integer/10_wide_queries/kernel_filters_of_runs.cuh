#pragma once

#include <cstdint>

#include "stages/tile_integer/10_wide_queries/kernel_filters.cuh"
#include "stages/tile_integer/10_wide_queries/run_rows.cuh"

// Flight 1 where dates have runs. The registers that these take leave so few warps that reads of prices from
// global memory would not be hidden: prices are copied.
namespace gsst::tile_integer {
namespace {

class FilterFlightOfRuns : public FilterFlight {
public:
  static constexpr std::uint32_t copied = columns;
  static constexpr std::uint32_t copied_columns = 0b1111;
  static constexpr std::uint32_t run_columns = 0b0001;

  using FilterFlight::FilterFlight;

  // A date's runs show nothing before they are compared: tiles are skipped by the other columns.
  __device__ void add_tile(const MixedTile<FilterFlightOfRuns>& tile, bool skips_tiles) {
    const LaneBlock<4> quantities = tile.column<1>();
    const LaneBlock<4> discounts = tile.column<2>();
    const LaneBlock<4> prices = tile.column<3>();
    const PackedRange quantities_range(quantities, query().filters[1]);
    const PackedRange discounts_range(discounts, query().filters[2]);
    const bool is_empty = quantities_range.is_empty || discounts_range.is_empty;
    if (skips_tiles && __all_sync(every_lane, is_empty)) return;
    std::uint32_t rows = rows_in_runs(tile.run_block<0>(), query().filters[0]);
    if (!any_rows(rows)) return;
    rows &= rows_in_range(discounts, query().filters[2], discounts_range);
    if (!any_rows(rows)) return;
    rows &= rows_in_range(quantities, query().filters[1], quantities_range);
    for_rows(rows, [&](std::uint32_t row) { add(value_of_row(prices, row), value_of_row(discounts, row)); });
  }
};

}  // namespace
}  // namespace gsst::tile_integer
