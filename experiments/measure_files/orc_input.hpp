#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "stages/codag/orc/orc_column.hpp"

namespace gsst::experiments {

/// A column of an ORC file, and its values.
struct OrcInput {
  codag::orc::OrcColumn column;
  /// Little-endian, as the oracle decodes them.
  std::vector<std::uint8_t> values;
};

/// Whether these are the bytes of an ORC file.
bool is_orc_file(std::span<const std::uint8_t> file);

/// Column `c` of `file`, the whole of an ORC file in host memory. Throws InputError for one that has nulls,
/// no rows, or indices of a dictionary for values, and codag::orc::OrcError for a damaged file.
OrcInput read_orc_input(std::span<const std::uint8_t> file);

/// What rows say of the column: how its file is compressed, how its integers are coded, the row groups, each
/// a chunk, and the rows of the largest.
nlohmann::ordered_json orc_in_rows(const codag::orc::OrcColumn& column);

}  // namespace gsst::experiments
