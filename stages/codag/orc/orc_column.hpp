#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/format/error.hpp"

/// Columns of ORC files: what a decoder is told of their streams. The rules are those of the ORC
/// specification, versions 0 and 1 (https://orc.apache.org/specification/), whose names fields have here. An
/// ORC file is no frame: its own metadata says where streams are. A stripe is some of the rows; in each, a
/// column has a stream of values and, where rows are null, one of bits that say which have a value.
namespace gsst::codag::orc {

/// A file that breaks a rule, or something in it that is not decoded. The message names the place in the file
/// ("stripe 3, column 'c', row index") and what is wrong there.
class OrcError : public format::FormatError {
public:
  OrcError(const std::string& place, const std::string& problem)
      : FormatError(std::nullopt, place, problem) {}

  const std::string& place() const { return field(); }
};

/// What a column decodes to.
enum class OrcValues : std::uint8_t {
  /// Bytes of 0 and 1, stored as bits.
  boolean,
  /// ORC's tinyint, coded by bytes.
  int8,
  int16,
  int32,
  int64,
  /// Days since 1970-01-01, of 32 bits.
  date,
  /// Of strings: 32-bit numbers of entries of the stripe's dictionary, which itself is not decoded.
  indices,
};

/// Bytes of a value that is written.
constexpr std::uint32_t value_bytes_of(OrcValues values) {
  switch (values) {
    case OrcValues::boolean:
    case OrcValues::int8:
      return 1;
    case OrcValues::int16:
      return 2;
    case OrcValues::int64:
      return 8;
    case OrcValues::int32:
    case OrcValues::date:
    case OrcValues::indices:
      break;
  }
  return 4;
}

/// How the streams of a file are compressed.
enum class OrcCompression : std::uint8_t {
  none,
  /// Chunks of raw Deflate, each after a header of three bytes.
  zlib,
};

/// How the integers of a stream are coded.
enum class OrcCoding : std::uint8_t {
  /// Bytes of tinyint; of booleans, eight in a byte.
  bytes,
  run_lengths_v1,
  run_lengths_v2,
};

/// Where the bytes of a stream are, compressed as the file is.
struct OrcStream {
  /// In the file.
  std::uint64_t offset;
  std::uint64_t bytes;
};

/// Where in a stream the first value of a row group is: its run may have begun before.
struct OrcPosition {
  /// Of a compressed stream: from the start of the stream to the header of a chunk. Else 0.
  std::uint64_t chunk;
  /// Bytes without compression, from there to a run's header.
  std::uint64_t byte;
  /// Values of that run which belong to earlier row groups; of booleans, bytes of eight.
  std::uint64_t values;
  /// Of booleans: bits of the next byte that do; else 0.
  std::uint64_t bits;
};

/// Where the rows of a group are.
struct OrcRowGroup {
  std::uint64_t rows;
  /// Where the stripe has a stream of what is present.
  std::optional<OrcPosition> present;
  OrcPosition data;
};

/// A column's part of a stripe.
struct OrcStripe {
  std::uint64_t rows;
  OrcCoding coding;
  /// Of OrcValues::indices: entries of the dictionary.
  std::uint32_t dictionary_entries;
  /// Absent where no row is null.
  std::optional<OrcStream> present;
  /// Has no bytes where all rows are null.
  OrcStream data;
  /// Empty in a file without row indexes: then the stripe is one group.
  std::vector<OrcRowGroup> row_groups;
};

/// A column, and what its file says of all of them.
struct OrcColumn {
  std::string name;
  OrcValues values;
  OrcCompression compression;
  /// Most bytes of a chunk of a compressed stream, before compression.
  std::uint64_t chunk_bytes;
  std::uint64_t rows;
  std::vector<OrcStripe> stripes;
};

/// The name of a place in a column, for errors.
std::string orc_place(const std::string& column, std::uint64_t stripe, std::string_view part);

}  // namespace gsst::codag::orc
