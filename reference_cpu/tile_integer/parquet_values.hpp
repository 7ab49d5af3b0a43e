#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/format/tile_integer/parquet_column.hpp"

/// The oracle of columns of Parquet files, value by value.
namespace gsst::reference::tile_integer {

/// What a column decodes to.
struct ParquetOutput {
  /// The values that are not null, little-endian, value_bytes_of() bytes each.
  std::vector<std::uint8_t> values;
  /// A byte for each row, 1 where it has a value; empty for a column without nulls.
  std::vector<std::uint8_t> levels;
};

/// Decodes the pages of a column that append_page() has made of `file`. Throws
/// format::tile_integer::ParquetError for the first stream with a mistake.
ParquetOutput decode_parquet(std::span<const std::uint8_t> file,
                             const format::tile_integer::ParquetColumn& column);

}  // namespace gsst::reference::tile_integer
