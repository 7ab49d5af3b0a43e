#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/format/tile_integer/parquet_column.hpp"

/// The metadata of Parquet files, on the host.
namespace gsst::tile_integer {

/// A column of a file, and the bytes that its places are in.
struct ParquetFileColumn {
  format::tile_integer::ParquetColumn column;
  /// Where pages are compressed, what they decompress to, with the places of the column; else empty.
  std::vector<std::uint8_t> decompressed = {};

  /// What a decoder gets as the file: `file`, of which the column is, or what its pages decompress to.
  std::span<const std::uint8_t> bytes(std::span<const std::uint8_t> file) const {
    return decompressed.empty() ? file : std::span<const std::uint8_t>(decompressed);
  }
};

/// Reads which pages a column has, in all row groups. `file` is the whole file, in host memory; `name` is
/// that of a column that is neither nested nor repeated. Columns of 32- and 64-bit integers decode to their
/// values, columns of other types, all of whose pages must have dictionaries, to indices. Pages that are
/// compressed with GZIP are decompressed here, by zlib. Throws format::tile_integer::ParquetError, also for
/// what is not decoded: other compression, encryption, other encodings.
ParquetFileColumn read_parquet_column(std::span<const std::uint8_t> file, const std::string& name);

}  // namespace gsst::tile_integer
