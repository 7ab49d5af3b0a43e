#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "common/format/tile_integer/parquet_column.hpp"

namespace gsst::experiments {

/// The only column of a Parquet file, which is measured.
struct PagedColumn {
  format::tile_integer::ParquetColumn column;
  /// What its pages decode to, by the oracle: little-endian, without gaps.
  std::vector<std::uint8_t> values;
};

/// Reads column `c` of `file`, which is the whole file in host memory. Throws
/// format::tile_integer::ParquetError, and InputError for a column that is not of integers, has rows that may
/// be null, no values, or pages of several encodings.
PagedColumn read_paged_column(std::span<const std::uint8_t> file);

/// What rows say of the pages: `pages`, their number; `page_values`, the values of the largest one; and
/// `encoding`, delta or dictionary or plain.
nlohmann::ordered_json pages_in_rows(const format::tile_integer::ParquetColumn& column);

}  // namespace gsst::experiments
