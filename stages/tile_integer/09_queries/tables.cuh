#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/09_queries/query.cuh"

// Builds a table by key from columns of a joined table.
namespace gsst::tile_integer {
namespace {

// Thread blocks of threads_of_tile threads, tiles_of() the columns, with LoadBitPack's shared memory: columns
// of format `for`, or stored as they are.
__global__ void build_table(TableRequest request) {
  GSST_SHARED_MEMORY(memory);
  report_blocks(request.columns.data(), request.column_count, blockIdx.x, request.statuses);
  Column keys;
  Column filtered;
  Column groups;
  const ColumnTile<std::uint32_t> tile(request.columns[0], blockIdx.x);
  LoadBitPack::load(tile, memory, keys);
  LoadBitPack::load(ColumnTile<std::uint32_t>(request.columns[1], blockIdx.x), memory, filtered);
  LoadBitPack::load(ColumnTile<std::uint32_t>(request.columns[2], blockIdx.x), memory, groups);
  const std::uint32_t wanted = keep(in_tile(tile), request.filter, filtered);
  for (std::uint32_t i = 0; i < values_of_tile_thread; ++i) {
    const std::uint32_t place = keys[i] - request.table.first_key;
    const std::uint32_t group = request.table.stride == 0 ? 0 : groups[i] - request.first_group;
    if ((wanted >> i & 1) == 0 || place >= request.table.size || group >= request.groups) continue;
    request.table.entries[place] = static_cast<std::uint16_t>(group + 1);
  }
}

}  // namespace
}  // namespace gsst::tile_integer
