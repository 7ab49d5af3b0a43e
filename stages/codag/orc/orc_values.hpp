#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "common/columns/column_files.hpp"
#include "common/format/stream.hpp"
#include "stages/codag/orc/orc_column.hpp"

/// Columns of ORC files, decoded on the CPU by the oracle of the formats of run lengths.
namespace gsst::codag::orc {

/// The values that a column may have.
struct OrcLimits {
  std::int64_t least;
  std::int64_t most;
};

/// Those of the type.
OrcLimits orc_limits(OrcValues values);

/// Those of a stripe: of indices, numbers of its dictionary's entries.
OrcLimits orc_limits(OrcValues values, const OrcStripe& stripe);

/// Throws std::invalid_argument where the column's type has no such value.
void check_null_value(const OrcColumn& column, std::optional<std::int64_t> null_value);

/// Of a stripe's null, for which nothing is to be written.
std::invalid_argument unwanted_null(const OrcColumn& column, std::uint64_t stripe);

/// Of a value outside of `limits`, the stripe's `number`th.
OrcError wrong_value(const OrcColumn& column, std::uint64_t stripe, std::uint64_t number, std::int64_t value,
                     const OrcLimits& limits);

/// Adds a stripe, which has been decoded, to the totals of columns::ColumnTotals.
void add_stripe(const OrcColumn& column, const OrcStripe& stripe, std::uint64_t values,
                columns::ColumnTotals& totals);

/// How the column is laid out, as in columns::ColumnTotals.
std::string orc_remark(const OrcColumn& column);

/// Writes the values of all stripes, little-endian. `file` is the whole file, in host memory, which `column`
/// was read from. Throws OrcError for damaged streams; std::invalid_argument where a row is null and there is
/// no `null_value`, or the type has no such value; and what `write` throws.
columns::ColumnTotals decode_orc_column(std::span<const std::uint8_t> file, const OrcColumn& column,
                                        std::optional<std::int64_t> null_value,
                                        const format::WriteFunction& write);

}  // namespace gsst::codag::orc
