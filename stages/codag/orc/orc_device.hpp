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

/// As decode_orc_column(), on `executor`, simt or gpu. `batch_bytes`: of the output, before which memory is
/// taken for no further stripe at once. Nothing is written of a batch with an error. OrcError names the row
/// group too. Throws cuda::CudaError as well.
columns::ColumnTotals decode_orc_column_on(stage::Executor executor, std::span<const std::uint8_t> file,
                                           const OrcColumn& column, std::optional<std::int64_t> null_value,
                                           const format::WriteFunction& write,
                                           std::uint64_t batch_bytes = std::uint64_t{256} << 20);

}  // namespace gsst::codag::orc
