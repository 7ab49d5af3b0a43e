#include "common/columns/column_files.hpp"
#include "stages/codag/orc/orc_file.hpp"
#include "stages/codag/orc/orc_values.hpp"

// Makes the command read ORC files.
namespace gsst::codag::orc {
namespace {

columns::ColumnTotals decode_orc(std::span<const std::uint8_t> file, const columns::ColumnRequest& request,
                                 const format::WriteFunction& write) {
  return decode_orc_column(file, read_orc_column(file, request.column), request.null_value, write);
}

const columns::ColumnFilesRegistration orc_files({.name = "ORC", .magic = orc_magic, .decode = decode_orc});

}  // namespace
}  // namespace gsst::codag::orc
