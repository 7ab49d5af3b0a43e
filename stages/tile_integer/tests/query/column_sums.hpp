#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/stage.hpp"

/// For tests: what a program with kernels of its own calls; the kernel that loads tiles is in column_sums.cu.
namespace gsst::tile_integer {

/// Which of the loads.
enum class Load { plain, whole, bit_pack, dbit_pack, rbit_pack };

/// Copies a column and sums its tiles. The frame and all memory are the executor's.
struct ColumnSums {
  /// `column` has values of `value_bytes` bytes, 4 or 8. `values` has room for all of them, `sums` for one
  /// sum (modulo 2^64) for each of tiles() tiles. Writes both; sums are 0 where there is no tile. Does not
  /// wait.
  void (*run)(Load load, const stage::FrameOnDevice& column, std::uint32_t value_bytes, void* values,
              std::uint64_t* sums);
  /// Sums that run() writes.
  unsigned (*tiles)(const stage::FrameOnDevice& column, std::uint32_t value_bytes);
};

}  // namespace gsst::tile_integer
