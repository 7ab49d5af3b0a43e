#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "common/columns/column_files.hpp"
#include "common/format/stream.hpp"
#include "stages/codag/orc/orc_column.hpp"

/// Columns of ORC files, decoded on the CPU by the oracle of the formats of run lengths.
namespace gsst::codag::orc {

/// Writes the values of all stripes, little-endian. `file` is the whole file, in host memory, which `column`
/// was read from. Throws OrcError for damaged streams; std::invalid_argument where a row is null and there is
/// no `null_value`, or the type has no such value; and what `write` throws.
columns::ColumnTotals decode_orc_column(std::span<const std::uint8_t> file, const OrcColumn& column,
                                        std::optional<std::int64_t> null_value,
                                        const format::WriteFunction& write);

}  // namespace gsst::codag::orc
