#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "common/columns/column_files.hpp"
#include "common/format/stream.hpp"
#include "common/stage/stage.hpp"
#include "stages/codag/orc/orc_column.hpp"

/// Columns of ORC files, decoded by kernels: a row group is a warp's, also of compressed streams, between
/// whose kernels the host does nothing.
namespace gsst::codag::orc {

/// What is decoded at once.
struct OrcBatchLimits {
  /// Bytes of the executor's memory, before which memory is taken for no further stripe.
  std::uint64_t batch_bytes = std::uint64_t{256} << 20;
  /// Bytes of the executor's memory that a stripe alone may need.
  std::uint64_t memory_bytes = std::uint64_t{2} << 30;
  /// Chunks, and row groups: a warp has each, and threads are counted with 32 bits. At least 2, and at most
  /// as many as here.
  std::uint64_t parts = std::uint64_t{1} << 26;
};

/// As decode_orc_column(), on `executor`, simt or gpu. Nothing is written of a batch with an error. OrcError
/// names the row group too. Throws std::invalid_argument, which names --memory, for a stripe that needs more
/// memory than `limits` has, and cuda::CudaError as well.
columns::ColumnTotals decode_orc_column_on(stage::Executor executor, std::span<const std::uint8_t> file,
                                           const OrcColumn& column, std::optional<std::int64_t> null_value,
                                           const format::WriteFunction& write,
                                           const OrcBatchLimits& limits = {});

}  // namespace gsst::codag::orc
