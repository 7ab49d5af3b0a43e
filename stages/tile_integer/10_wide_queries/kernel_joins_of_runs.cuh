#pragma once

#include <cstdint>

#include "stages/tile_integer/10_wide_queries/kernel_joins.cuh"
#include "stages/tile_integer/10_wide_queries/run_rows.cuh"

// Flights 2 to 4 where keys have runs: of dates, the last ones, and of customers.
namespace gsst::tile_integer {
namespace {

template <std::uint32_t Joins, bool HasCost, std::uint32_t RunColumns>
class JoinFlightOfRuns : public JoinFlight<Joins, HasCost> {
  using Base = JoinFlight<Joins, HasCost>;

public:
  static constexpr std::uint32_t run_columns = RunColumns;
  // Runs are few words, and where they are follows from several reads, one after the other: too slow in
  // global memory.
  static constexpr std::uint32_t copied = Joins;
  static constexpr std::uint32_t copied_columns = Base::copied_columns | RunColumns;

  using Base::Base;

  __device__ void add_tile(const MixedTile<JoinFlightOfRuns>& tile, bool /*skips_tiles*/) const {
    join<0>(all_rows, tile, [](std::uint32_t /*row*/) { return 0U; });
  }

private:
  // All lanes: joins `rows` with tables number `Number` and above, and adds those that are left.
  // `group_before` gives the part of a row's group that is the other tables'.
  template <std::uint32_t Number, typename GroupBefore>
  __device__ void join(std::uint32_t rows, const MixedTile<JoinFlightOfRuns>& tile,
                       GroupBefore&& group_before) const {
    if constexpr (Number == Joins) {
      const LaneBlock<4> revenues = tile.template column<Joins>();
      const LaneBlock<4> costs = tile.template column<Base::columns - 1>();
      for_rows(rows, [&](std::uint32_t row) {
        this->add(group_before(row), value_of_row(revenues, row), HasCost ? value_of_row(costs, row) : 0);
      });
    } else {
      const auto keys = tile.template column<Number>();
      if constexpr (Number == 0) {
        rows = rows_with_entries(keys, this->table(0), this->bits());
      } else {
        rows = keep_rows_with_entries(rows, keys, this->table(Number));
      }
      if (!any_rows(rows)) return;
      join<Number + 1>(rows, tile, [&](std::uint32_t row) {
        return group_before(row) + this->group_of(Number, keys, row);
      });
    }
  }
};

}  // namespace
}  // namespace gsst::tile_integer
