#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "stages/tile_integer/10_wide_queries/kernel.cuh"
#include "stages/tile_integer/10_wide_queries/lane_rows.cuh"

// Flights 2 to 4: the sum of a number, by groups of the rows of other tables that are joined. The first
// columns are the keys of these tables; then come lo_revenue and, if `HasCost`, lo_supplycost, which is
// subtracted.
namespace gsst::tile_integer {
namespace {

template <std::uint32_t Joins, bool HasCost>
class JoinFlight {
public:
  static constexpr std::uint32_t columns = Joins + (HasCost ? 2 : 1);
  // Of later columns few rows are wanted, and room for their words would leave a multiprocessor few warps.
  static constexpr std::uint32_t copied = 2;
  static constexpr std::uint32_t copied_columns = 0b11;
  static constexpr std::uint32_t run_columns = 0;

  __device__ JoinFlight(const QueryOnDevice& query, std::uint32_t* bits, std::uint32_t bytes)
      : query_(query), bits_{.words = bits, .exist = bytes != 0} {
    const KeyTable& table = query.tables[0];
    for (std::uint32_t word = threadIdx.x; word < bytes / sizeof(std::uint32_t); word += blockDim.x) {
      bits[word] = word < (table.size + 31) / 32 ? table.bits[word] : 0;
    }
  }

  template <typename BlockOf>
  __device__ void add_tile(BlockOf&& block, bool /*skips_tiles*/) const {
    const LaneBlock<4> first = block(0);
    const LaneBlock<4> second = block(1);
    std::uint32_t rows = rows_with_entries(first, query_.tables[0], bits_);
    if (!any_rows(rows)) return;
    rows = keep_rows_with_entries(rows, second, query_.tables[1]);
    if (!any_rows(rows)) return;
    const Later later = later_blocks(block, std::make_integer_sequence<std::uint32_t, columns - copied>());
#pragma unroll
    for (std::uint32_t column = copied; column < Joins; ++column) {
      rows = keep_rows_with_entries(rows, later[column - copied], query_.tables[column]);
      if (!any_rows(rows)) return;
    }
    // What group a row belongs to is looked up once more, for the few rows that are left. No load waits for
    // another table's.
    for_rows(rows, [&](std::uint32_t row) {
      const std::uint32_t revenue = value_of_row(later[Joins - copied], row);
      const std::uint32_t cost = HasCost ? value_of_row(later[columns - copied - 1], row) : 0;
      std::uint32_t group = group_of(0, first, row) + group_of(1, second, row);
#pragma unroll
      for (std::uint32_t column = copied; column < Joins; ++column) {
        group += group_of(column, later[column - copied], row);
      }
      add(group, revenue, cost);
    });
  }

  template <typename Values>
  __device__ void add_row(const Values& values, std::uint32_t row) const {
    std::uint32_t group = 0;
#pragma unroll
    for (std::uint32_t column = 0; column < Joins; ++column) {
      const KeyTable& table = query_.tables[column];
      const std::uint32_t entry = entry_of_key(table, values.value(column, row));
      if (entry == 0) return;
      group += (entry - 1) * table.stride;
    }
    add(group, values.value(Joins, row), HasCost ? values.value(columns - 1, row) : 0);
  }

  // Sums are those of groups.
  __device__ static unsigned long long total() {
    return 0;
  }

protected:
  // A loss is added modulo 2^64.
  __device__ void add(std::uint32_t group, std::uint32_t revenue, std::uint32_t cost) const {
    atomicAdd(query_.sums + group, static_cast<unsigned long long>(revenue) - cost);
  }
  // Of a row that table `number` has: its part of the group, 0 where rows of the table are not grouped.
  // `Block` is what a lane has of the keys.
  template <typename Block>
  __device__ std::uint32_t group_of(std::uint32_t number, const Block& block, std::uint32_t row) const {
    const KeyTable& table = query_.tables[number];
    return (entry_of_key(table, value_of_row(block, row)) - 1) * table.stride;
  }
  __device__ const KeyTable& table(std::uint32_t number) const {
    return query_.tables[number];
  }
  __device__ const BitsOfTable& bits() const {
    return bits_;
  }

private:
  using Later = std::array<LaneBlock<4>, columns - copied>;

  template <typename BlockOf, std::uint32_t... Numbers>
  __device__ static Later later_blocks(BlockOf&& block,
                                       std::integer_sequence<std::uint32_t, Numbers...> /*numbers*/) {
    return {block(copied + Numbers)...};
  }

  const QueryOnDevice& query_;
  // Of the first table, in which each row looks.
  BitsOfTable bits_;
};

}  // namespace
}  // namespace gsst::tile_integer
