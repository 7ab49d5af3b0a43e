#pragma once

#include <array>
#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/tile_integer/10_wide_queries/row_values.cuh"

// Builds all arrays by key of a query in one launch, and the bits of the first one.
namespace gsst::tile_integer {
namespace {

struct WideTableRequests {
  std::array<TableRequest, max_tables> tables;
  std::uint32_t count;
};

// Each table has as many thread blocks: gridDim.x is a multiple of the number of tables.
__global__ void build_wide_tables(WideTableRequests requests) {
  const TableRequest& request = requests.tables[blockIdx.x % requests.count];
  for_row_tiles<3>(request.columns.data(), request.column_count, request.statuses,
                   blockIdx.x / requests.count, gridDim.x / requests.count, [&](const RowValues<3>& values) {
                     for (std::uint32_t row = lane_number(); row < values.rows; row += lanes_of_warp) {
                       const std::uint32_t place = values.value(0, row) - request.table.first_key;
                       const std::uint32_t group =
                           request.table.stride == 0 ? 0 : values.value(2, row) - request.first_group;
                       if (place >= request.table.size || group >= request.groups) continue;
                       if (!request.filter.accepts(values.value(1, row))) continue;
                       request.table.entries[place] = static_cast<std::uint16_t>(group + 1);
                       if (request.table.bits != nullptr) {
                         atomicOr(request.table.bits + place / 32, 1U << place % 32);
                       }
                     }
                   });
}

}  // namespace
}  // namespace gsst::tile_integer
