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
  return decode_orc_column_on(request.executor, file, column, request.null_value, write);
}

const columns::ColumnFilesRegistration orc_files({.name = "ORC", .magic = orc_magic, .decode = decode_orc});

}  // namespace
}  // namespace gsst::codag::orc
