#include "experiments/measure_selection/selected_sums.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/stage/kernels_on.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/09_queries/query.cuh"

// Random access by a bit for each value, as the paper has it (section 8): a tile of which nothing is selected
// is left out, of a plain one what is selected is read.
namespace gsst::experiments {
namespace {

using tile_integer::ColumnTile;
using tile_integer::threads_of_tile;
using tile_integer::values_of_tile_thread;

static_assert(selected_tile_values == tile_integer::tile_values);

constexpr std::uint32_t lanes = 32;

// Thread blocks of threads_of_tile threads, tiles_of() the column.
template <typename Load>
__global__ void sum_selected(stage::FrameOnDevice column, std::uint32_t block_values,
                             const std::uint32_t* selected, unsigned long long* sums) {
  GSST_SHARED_MEMORY(memory);
  const ColumnTile<std::uint32_t> tile(column, blockIdx.x);
  if (tile.values() == 0) return;
  const std::uint64_t number =
      std::uint64_t{tile.block()} * (block_values / selected_tile_values) + tile.number();
  const std::uint32_t* const words = selected + number * (selected_tile_values / lanes);
  std::uint32_t wanted = 0;
  for (std::uint32_t i = 0; i < values_of_tile_thread; ++i) {
    const std::uint32_t place = tile.place(i);
    if ((words[place / lanes] >> place % lanes & 1) != 0) wanted |= 1U << i;
  }
  wanted &= tile_integer::in_tile(tile);
  if (!tile_integer::is_tile_wanted<Load>(wanted, memory)) return;
  tile_integer::Column values;
  Load::load(tile, memory, values, wanted);
  unsigned long long sum = 0;
  for (std::uint32_t i = 0; i < values_of_tile_thread; ++i) {
    if ((wanted >> i & 1) != 0) sum += values[i];
  }
  // Whoever still reads the column's words.
  __syncthreads();
  unsigned long long total = 0;
  tile_integer::block_inclusive_sum<unsigned long long, threads_of_tile>(
      sum, reinterpret_cast<unsigned long long*>(memory), total);
  if (threadIdx.x == 0) atomicAdd(sums + number % selected_sums, total);
}

template <typename Load>
void launch_sums(const stage::FrameOnDevice& column, std::uint32_t block_values,
                 const std::uint32_t* selected, unsigned long long* sums, void* stream) {
  stage::launch(
      {.thread_blocks = tile_integer::tiles_of(column, sizeof(std::uint32_t)),
       .threads_per_block = threads_of_tile,
       .shared_bytes = std::max(Load::template shared_bytes<std::uint32_t>, tile_integer::least_shared_bytes),
       .stream = stream},
      sum_selected<Load>, column, block_values, selected, sums);
}

void enqueue(ColumnFormat format, const stage::FrameOnDevice& column, std::uint32_t block_values,
             const std::uint32_t* selected, std::uint64_t* sums, void* stream) {
  stage::clear(sums, selected_sums * sizeof(std::uint64_t), stream);
  // A grid of no blocks is an error in CUDA.
  if (column.block_count == 0) return;
  auto* const added = reinterpret_cast<unsigned long long*>(sums);
  switch (format) {
    case ColumnFormat::plain:
      return launch_sums<tile_integer::LoadPlain>(column, block_values, selected, added, stream);
    case ColumnFormat::packed:
      return launch_sums<tile_integer::LoadBitPack>(column, block_values, selected, added, stream);
    case ColumnFormat::deltas:
      return launch_sums<tile_integer::LoadDBitPack>(column, block_values, selected, added, stream);
    case ColumnFormat::runs:
      return launch_sums<tile_integer::LoadRBitPack>(column, block_values, selected, added, stream);
  }
}

const stage::KernelsOn<SelectedSums> kernels(stage::this_executor, {.enqueue = enqueue});

}  // namespace
}  // namespace gsst::experiments
