#pragma once

#include <cstdint>

#include "stages/tile_integer/10_wide_queries/kernel_filters.cuh"
#include "stages/tile_integer/10_wide_queries/run_rows.cuh"

// Flight 1 where dates have runs.
namespace gsst::tile_integer {
namespace {

class FilterFlightOfRuns : public FilterFlight {
public:
  static constexpr std::uint32_t run_columns = 0b0001;

  using FilterFlight::FilterFlight;

  // A date's runs show nothing before they are compared: tiles are skipped by the other columns.
  __device__ void add_tile(const MixedTile<FilterFlightOfRuns>& tile, bool skips_tiles) {
    const LaneBlock<4> quantities = tile.column<1>();
    const LaneBlock<4> discounts = tile.column<2>();
    const PackedRange quantities_range(quantities, query().filters[1]);
    const PackedRange discounts_range(discounts, query().filters[2]);
    const bool is_empty = quantities_range.is_empty || discounts_range.is_empty;
    if (skips_tiles && __all_sync(every_lane, is_empty)) return;
    std::uint32_t rows = rows_in_runs(tile.run_block<0>(), query().filters[0]);
    if (!any_rows(rows)) return;
    rows &= rows_in_range(discounts, query().filters[2], discounts_range);
    if (!any_rows(rows)) return;
    const LaneBlock<4> prices = tile.column<3>();
    rows &= rows_in_range(quantities, query().filters[1], quantities_range);
    add_wanted_rows(rows, prices, discounts);
  }
};

}  // namespace
}  // namespace gsst::tile_integer
