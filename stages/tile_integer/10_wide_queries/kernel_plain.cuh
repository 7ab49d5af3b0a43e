#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/10_wide_queries/kernel_filters.cuh"
#include "stages/tile_integer/10_wide_queries/kernel_joins.cuh"
#include "stages/tile_integer/10_wide_queries/plain_rows.cuh"

// The same questions about plain columns: what queries on compressed columns are compared with.
namespace gsst::tile_integer {
namespace {

// Flight 1.
class PlainFilterFlight : public FilterFlight {
public:
  using FilterFlight::FilterFlight;

  // All threads.
  template <bool Skips>
  __device__ void add_piece(const PlainPiece<columns>& piece) {
    PlainColumn<Skips> dates(piece, 0);
    PlainColumn<Skips> quantities(piece, 1);
    PlainColumn<Skips> discounts(piece, 2);
    PlainColumn<Skips> prices(piece, 3);
    std::uint32_t rows = piece.own_rows();
    rows = keep_rows(rows, query().filters[0], dates.in_rows(rows));
    rows = keep_rows(rows, query().filters[1], quantities.in_rows(rows));
    const std::uint32_t* const of_discounts = discounts.in_rows(rows);
    rows = keep_rows(rows, query().filters[2], of_discounts);
    const std::uint32_t* const of_prices = prices.in_rows(rows);
#pragma unroll
    for (std::uint32_t i = 0; i < rows_of_thread; ++i) {
      if ((rows >> i & 1) != 0) add(of_prices[i], of_discounts[i]);
    }
  }

private:
  __device__ static std::uint32_t keep_rows(std::uint32_t rows, const Filter& filter,
                                            const std::uint32_t* values) {
#pragma unroll
    for (std::uint32_t i = 0; i < rows_of_thread; ++i) {
      if (!filter.accepts(values[i])) rows &= ~(1U << i);
    }
    return rows;
  }
};

// Flights 2 to 4.
template <std::uint32_t Joins, bool HasCost>
class PlainJoinFlight : public JoinFlight<Joins, HasCost> {
public:
  using Base = JoinFlight<Joins, HasCost>;
  using Base::Base;

  // All threads.
  template <bool Skips>
  __device__ void add_piece(const PlainPiece<Base::columns>& piece) const {
    auto values = columns_of<Skips>(piece, std::make_integer_sequence<std::uint32_t, Base::columns>());
    std::uint32_t groups[rows_of_thread] = {};
    std::uint32_t rows = piece.own_rows();
    const std::uint32_t* const keys = values[0].in_rows(rows);
    if (this->bits().exist) {
      rows = rows_with_bits(rows, keys);
    } else {
      rows = join(rows, 0, keys, groups);
    }
#pragma unroll
    for (std::uint32_t number = 1; number < Joins; ++number) {
      rows = join(rows, number, values[number].in_rows(rows), groups);
    }
    // Of the first key's group, which few rows are left for.
    if (this->bits().exist && this->table(0).stride != 0) rows = join(rows, 0, keys, groups);
    if (Skips && rows == 0) return;
    const std::uint32_t* const revenues = values[Joins].in_rows(rows);
    const std::uint32_t* const costs = HasCost ? values[Base::columns - 1].in_rows(rows) : revenues;
#pragma unroll
    for (std::uint32_t i = 0; i < rows_of_thread; ++i) {
      if ((rows >> i & 1) != 0) this->add(groups[i], revenues[i], HasCost ? costs[i] : 0);
    }
  }

private:
  template <bool Skips, std::uint32_t... Numbers>
  __device__ static std::array<PlainColumn<Skips>, Base::columns> columns_of(
      const PlainPiece<Base::columns>& piece, std::integer_sequence<std::uint32_t, Numbers...> /*numbers*/) {
    return {PlainColumn<Skips>(piece, Numbers)...};
  }

  // Those of `rows` that the first table has, by its bits.
  __device__ std::uint32_t rows_with_bits(std::uint32_t rows, const std::uint32_t* keys) const {
#pragma unroll
    for (std::uint32_t i = 0; i < rows_of_thread; ++i) {
      if (!this->bits().has_key(this->table(0), keys[i])) rows &= ~(1U << i);
    }
    return rows;
  }

  // Those of `rows` that table `number` has, which are joined: their parts of the group are added to
  // `groups`. All looks are under way at once.
  __device__ std::uint32_t join(std::uint32_t rows, std::uint32_t number, const std::uint32_t* keys,
                                std::uint32_t (&groups)[rows_of_thread]) const {
    const KeyTable& table = this->table(number);
    std::uint32_t entries[rows_of_thread];
#pragma unroll
    for (std::uint32_t i = 0; i < rows_of_thread; ++i) {
      entries[i] = (rows >> i & 1) != 0 ? entry_of_key(table, keys[i]) : 0;
    }
#pragma unroll
    for (std::uint32_t i = 0; i < rows_of_thread; ++i) {
      if (entries[i] == 0) rows &= ~(1U << i);
      groups[i] += (entries[i] - 1) * table.stride;
    }
    return rows;
  }
};

// `bits_bytes` of shared memory follow the sums of warps, as in WideShape.
template <typename Flight, bool Skips>
__global__ void __launch_bounds__(most_threads_of_queries)
    plain_query(QueryOnDevice query, std::uint32_t bits_bytes) {
  GSST_SHARED_MEMORY(memory);
  Flight flight(query, reinterpret_cast<std::uint32_t*>(memory + bytes_of_wide_sums), bits_bytes);
  __syncthreads();
  for_plain_pieces<Flight::columns>(
      query, [&](const PlainPiece<Flight::columns>& piece) { flight.template add_piece<Skips>(piece); });
  add_to_wide_sum(flight.total(), query.sums, memory);
}

}  // namespace
}  // namespace gsst::tile_integer
