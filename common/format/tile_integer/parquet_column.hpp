#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// Columns of Parquet files: what a decoder is told of their pages. The rules are those of the Parquet
/// format's documents "Encodings" and "Data Pages" (https://parquet.apache.org/docs/file-format/), whose
/// names fields have here. A Parquet file is no frame: its own metadata says where pages are, and some other
/// code has read it. A page holds up to two **streams**, its definition levels and its values. Blocks and
/// miniblocks are Parquet's.
namespace gsst::format::tile_integer {

/// What a file begins with, before all pages, and ends with, after them: the length of its metadata and the
/// same four bytes.
inline constexpr std::uint64_t parquet_magic_bytes = 4;
inline constexpr std::uint64_t parquet_tail_bytes = 8;

/// A page that breaks a rule, or that is of a kind which is not decoded. The message names the page, counted
/// from 0 through all pages of the column, those with dictionaries too, and the field.
class ParquetError : public std::runtime_error {
public:
  /// Without a page: of the file's own metadata.
  ParquetError(std::optional<std::uint64_t> page, const std::string& field, const std::string& problem);

  std::optional<std::uint64_t> page() const { return page_; }
  const std::string& field() const { return field_; }
  /// What is wrong with the field.
  const std::string& problem() const { return problem_; }

private:
  std::optional<std::uint64_t> page_;
  std::string field_;
  std::string problem_;
};

/// Parquet's encodings, as far as they are decoded. The numbers are stored in page headers.
enum class ParquetEncoding : std::int32_t {
  plain = 0,
  /// Indices, as page headers of version 1 call them.
  plain_dictionary = 2,
  rle = 3,
  delta_binary_packed = 5,
  /// Indices.
  rle_dictionary = 8,
};

/// What a column decodes to.
enum class ParquetValues : std::uint8_t {
  int32,
  int64,
  /// Of other types: 32-bit numbers of entries of the chunk's dictionary, which itself is not decoded.
  indices,
};

constexpr std::uint32_t value_bytes_of(ParquetValues values) {
  return values == ParquetValues::int64 ? 8 : 4;
}

/// Where the entries of a chunk's dictionary are.
struct ParquetDictionary {
  /// In the file. Entries are PLAIN: 4 or 8 bytes each; of ParquetValues::indices nobody reads them.
  std::uint64_t offset = 0;
  std::uint32_t values = 0;
};

/// What the metadata of a file say of a data page, which is not compressed.
struct ParquetPage {
  std::uint64_t number;
  /// In the file, of the first byte after the page's header.
  std::uint64_t offset;
  std::uint32_t bytes;
  /// With nulls.
  std::uint32_t rows;
  ParquetEncoding encoding;
  /// Of a page of version 2: bytes of its definition levels. One of version 1 says them itself.
  std::optional<std::uint32_t> level_bytes;
};

/// How the bytes of a stream are to be read.
enum class ParquetStreamKind : std::uint8_t {
  /// DELTA_BINARY_PACKED: blocks of differences.
  delta,
  /// The RLE/bit-packed hybrid: definition levels of one bit, which become bytes of 0 and 1.
  levels,
  /// The hybrid: indices, which become the entries of a dictionary that they point to, or stay what they are.
  indices,
  /// PLAIN: values as they are.
  plain,
};

/// Values that a thread block decodes of a stream without blocks.
inline constexpr std::uint32_t parquet_tile_values = 512;

/// Largest block of DELTA_BINARY_PACKED that is decoded. The format has no limit; pyarrow's blocks have 128.
inline constexpr std::uint32_t max_parquet_block_values = 65536;

/// A stream, checked up to the bytes that `offset` points to. Kernels read it as it is.
struct ParquetStream {
  /// In the file: of the first block, run or value.
  std::uint64_t offset;
  /// Place of the first value among all values of the column, of levels among all rows.
  std::uint64_t output;
  /// Of delta: the first value, of which the lowest value_bytes_of() bytes count.
  std::uint64_t first_value;
  /// Of indices with a dictionary: in the file, of its first entry.
  std::uint64_t dictionary_offset;
  /// Of indices: entries of the dictionary.
  std::uint32_t dictionary_values;
  /// Bytes from `offset` to the end of the stream.
  std::uint32_t bytes;
  std::uint32_t values;
  /// Of delta. A block has whole miniblocks of a multiple of 32 values.
  std::uint32_t block_values;
  std::uint32_t miniblocks;
  /// Pieces of the streams before this one; its own are its blocks, or else parts of parquet_tile_values
  /// values.
  std::uint32_t first_piece;
  std::uint32_t pieces;
  /// Of the hybrid: bits of a value, at most 32.
  std::uint32_t width;
  ParquetStreamKind kind;
};

/// A column, or as much of it as its pages have been appended.
struct ParquetColumn {
  ParquetValues values;
  /// Whether rows may be null: each page has definition levels, 0 or 1.
  bool is_nullable;
  std::uint64_t rows = 0;
  /// Those that are not null, one after the other in the output.
  std::uint64_t value_count = 0;
  std::uint64_t pieces = 0;
  std::vector<ParquetStream> streams = {};
  /// Of each stream: the number of its page.
  std::vector<std::uint64_t> pages = {};
};

/// Appends a page's streams to the column. `file` is the whole file, in host memory; of the page, everything
/// that comes before the first block or run is read and checked, and of definition levels all runs, since
/// they tell how many values there are. Throws ParquetError.
void append_page(ParquetColumn& column, std::span<const std::uint8_t> file, const ParquetPage& page,
                 const ParquetDictionary& dictionary);

/// What a decoder reports of a stream.
enum class ParquetStatus : std::uint32_t {
  decoded = 0,
  // The lowest: it is found last, and a decoder reports the highest.
  index_too_large,
  min_delta_ends,
  min_delta_too_large,
  bit_widths_end,
  bit_width_too_large,
  miniblock_ends,
  run_header_ends,
  run_header_too_large,
  run_empty,
  run_too_long,
  run_value_too_large,
  run_ends,
};

/// What is wrong with which field.
struct ParquetProblem {
  std::string_view field;
  std::string_view problem;
};

/// What a status other than ParquetStatus::decoded means.
ParquetProblem problem_of(ParquetStatus status);

/// The error that a decoder reports by `status` for stream number `stream` of a column.
ParquetError parquet_error(const ParquetColumn& column, std::uint64_t stream, ParquetStatus status);

}  // namespace gsst::format::tile_integer
