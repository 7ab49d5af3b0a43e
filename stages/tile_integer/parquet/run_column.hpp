#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/format/tile_integer/parquet_column.hpp"
#include "common/stage/plan.hpp"
#include "common/stage/run_decode.hpp"
#include "common/stage/stage.hpp"

namespace gsst::tile_integer {

/// What a decoding of a column leaves behind, copied to the host.
struct DecodedColumn {
  stage::Outcome outcome;
  /// Guard bytes, the output, guard bytes.
  std::vector<std::uint8_t> guarded_values;
  std::vector<std::uint8_t> guarded_levels;
  std::size_t guard_bytes;

  std::span<const std::uint8_t> values() const { return without_guards(guarded_values); }
  std::span<const std::uint8_t> levels() const { return without_guards(guarded_levels); }

private:
  std::span<const std::uint8_t> without_guards(std::span<const std::uint8_t> guarded) const {
    return guarded.subspan(guard_bytes, guarded.size() - 2 * guard_bytes);
  }
};

/// Decodes a column of `file` (host memory) by the kernels of 12_parquet_delta, once, with buffers of its
/// own, and waits for it. `buffers.guard_bytes` must be a multiple of 8. Throws std::logic_error if this
/// program was not built with `executor`; what the outcome says is left to the caller.
DecodedColumn run_column(stage::Executor executor, std::span<const std::uint8_t> file,
                         const format::tile_integer::ParquetColumn& column,
                         const stage::DecodeBuffers& buffers = {});

}  // namespace gsst::tile_integer
