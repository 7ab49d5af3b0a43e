#include <algorithm>

#include "common/columns/column_files.hpp"
#include "stages/codag/orc/orc_device.hpp"
#include "stages/codag/orc/orc_file.hpp"
#include "stages/codag/orc/orc_values.hpp"

// Makes the command read ORC files.
namespace gsst::codag::orc {
namespace {

columns::ColumnTotals decode_orc(std::span<const std::uint8_t> file, const columns::ColumnRequest& request,
                                 const format::WriteFunction& write) {
  const OrcColumn column = read_orc_column(file, request.column);
  if (request.executor == stage::Executor::cpu) {
    return decode_orc_column(file, column, request.null_value, write);
  }
  OrcBatchLimits limits;
  limits.memory_bytes = request.memory_bytes;
  limits.batch_bytes = std::min(limits.batch_bytes, request.memory_bytes);
  return decode_orc_column_on(request.executor, file, column, request.null_value, write, limits);
}

const columns::ColumnFilesRegistration orc_files({.name = "ORC", .magic = orc_magic, .decode = decode_orc});

}  // namespace
}  // namespace gsst::codag::orc
