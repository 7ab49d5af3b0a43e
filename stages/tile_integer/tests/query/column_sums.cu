#include "stages/tile_integer/tests/query/column_sums.hpp"

#include <cstddef>
#include <cstdint>

#include "common/stage/kernels_on.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/09_queries/loads.cuh"

// A kernel outside of the stages that loads compressed columns: each value is copied, each tile summed.
namespace gsst::tile_integer {
namespace {

constexpr std::uint32_t noise = 0x5a5a5a5a;

// What a kernel of its own may do with the shared memory before a load: all threads write all of it, and read
// what others have written. Returns how many words this thread finds changed, which is 0.
__device__ inline std::uint32_t use_memory(std::uint8_t* memory, std::uint32_t words) {
  auto* const own = reinterpret_cast<std::uint32_t*>(memory);
  for (std::uint32_t word = threadIdx.x; word < words; word += threads_of_tile) own[word] = noise;
  __syncthreads();
  std::uint32_t changed = 0;
  for (std::uint32_t word = threadIdx.x; word < words; word += threads_of_tile) {
    if (own[words - 1 - word] != noise) ++changed;
  }
  return changed;
}

// Two loads of the same tile follow each other in the same shared memory, as those of two columns would.
template <typename LoadColumn, typename Number>
__global__ void sum_column(stage::FrameOnDevice column, Number* output, unsigned long long* sums) {
  GSST_SHARED_MEMORY(memory);
  const ColumnTile<Number> tile(column, blockIdx.x);
  constexpr auto words =
      static_cast<std::uint32_t>(LoadColumn::template shared_bytes<Number> / sizeof(std::uint32_t));
  Number values[values_of_tile_thread];
  unsigned long long sum = use_memory(memory, words);
  LoadColumn::load(tile, memory, values);
  Number again[values_of_tile_thread];
  LoadColumn::load(tile, memory, again);
  // Blocks before this one are as long as the first.
  const ColumnTile<Number> first(column, 0);
  Number* const tile_output = output + std::uint64_t{tile.block()} * first.block_values() +
                              std::uint64_t{tile.number()} * tile_values;
  for (std::uint32_t i = 0; i < values_of_tile_thread; ++i) {
    if (tile.place(i) < tile.values()) tile_output[tile.place(i)] = values[i];
    // Values that the tile does not have are 0.
    sum += again[i];
  }
  __syncthreads();
  unsigned long long total = 0;
  block_inclusive_sum<unsigned long long, threads_of_tile>(sum, reinterpret_cast<unsigned long long*>(memory),
                                                           total);
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

template <typename LoadColumn, typename Number>
void launch_sums(const stage::FrameOnDevice& column, void* values, std::uint64_t* sums) {
  constexpr std::size_t sums_bytes = threads_of_tile / 32 * sizeof(unsigned long long);
  constexpr std::size_t load_bytes = LoadColumn::template shared_bytes<Number>;
  stage::launch({.thread_blocks = tiles_of(column, sizeof(Number)),
                 .threads_per_block = threads_of_tile,
                 .shared_bytes = load_bytes < sums_bytes ? sums_bytes : load_bytes,
                 .stream = nullptr},
                sum_column<LoadColumn, Number>, column, static_cast<Number*>(values),
                reinterpret_cast<unsigned long long*>(sums));
}

template <typename Number>
void launch_load(Load load, const stage::FrameOnDevice& column, void* values, std::uint64_t* sums) {
  switch (load) {
    case Load::plain:
      return launch_sums<LoadPlain, Number>(column, values, sums);
    case Load::whole:
      return launch_sums<LoadWhole, Number>(column, values, sums);
    case Load::bit_pack:
      return launch_sums<LoadBitPack, Number>(column, values, sums);
    case Load::dbit_pack:
      return launch_sums<LoadDBitPack, Number>(column, values, sums);
    case Load::rbit_pack:
      return launch_sums<LoadRBitPack, Number>(column, values, sums);
  }
}

void run(Load load, const stage::FrameOnDevice& column, std::uint32_t value_bytes, void* values,
         std::uint64_t* sums) {
  if (value_bytes == 4) {
    launch_load<std::uint32_t>(load, column, values, sums);
  } else {
    launch_load<std::uint64_t>(load, column, values, sums);
  }
}

const stage::KernelsOn<ColumnSums> kernels(stage::this_executor, {.run = run, .tiles = tiles_of});

}  // namespace
}  // namespace gsst::tile_integer
