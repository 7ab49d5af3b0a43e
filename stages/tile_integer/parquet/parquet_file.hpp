#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "common/format/tile_integer/parquet_column.hpp"

/// The metadata of Parquet files, on the host.
namespace gsst::tile_integer {

/// Reads which pages a column has, in all row groups. `file` is the whole file, in host memory; `name` is
/// that of a column that is neither nested nor repeated. Columns of 32- and 64-bit integers decode to their
/// values, columns of other types, all of whose pages must have dictionaries, to indices. Throws
/// format::tile_integer::ParquetError, also for what is not decoded: compressed pages, encryption, other
/// encodings.
format::tile_integer::ParquetColumn read_parquet_column(std::span<const std::uint8_t> file,
                                                        const std::string& name);

}  // namespace gsst::tile_integer
