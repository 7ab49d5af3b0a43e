#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/stage.hpp"

namespace gsst::experiments {

/// A number for each tile of 512 values, modulo this: each has a sum of its own, so that thread blocks do not
/// wait for each other's additions.
inline constexpr std::uint32_t selected_sums = 1024;
/// Values of a tile.
inline constexpr std::uint32_t selected_tile_values = 512;

/// How a column is stored, each with the load of stage tile_integer/09_queries that reads it.
enum class ColumnFormat { plain, packed, deltas, runs };

/// Sums of the values of a column that are selected. The functions are those of
/// stage::KernelsOn<SelectedSums>.
struct SelectedSums {
  /// Puts on `stream`: clears `sums`, and adds each selected value of `column` to sum (i / 512) %
  /// selected_sums, where i is its place. The column's values have 32 bits; blocks but the last have
  /// `block_values` values, which divide by 512. Value i is selected by bit i % 32 of word i / 32 of
  /// `selected`; there are words for whole tiles. All memory is the executor's.
  void (*enqueue)(ColumnFormat format, const stage::FrameOnDevice& column, std::uint32_t block_values,
                  const std::uint32_t* selected, std::uint64_t* sums, void* stream);
};

}  // namespace gsst::experiments
