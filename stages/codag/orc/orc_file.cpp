#include "stages/codag/orc/orc_file.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "orc_metadata.pb.h"
#include "stages/codag/orc/orc_streams.hpp"

// Numbers of kinds are those of the ORC specification's orc_proto.proto, by whose names they are called.
namespace gsst::codag::orc {

std::string orc_place(const std::string& column, std::uint64_t stripe, std::string_view part) {
  return "stripe " + std::to_string(stripe) + ", column '" + column + "', " + std::string(part);
}

namespace {

// Of the column's type.
enum TypeKind : std::uint32_t {
  type_boolean = 0,
  type_byte = 1,
  type_short = 2,
  type_int = 3,
  type_long = 4,
  type_string = 7,
  type_struct = 12,
  type_date = 15,
  type_varchar = 16,
  type_char = 17,
};

enum StreamKind : std::uint32_t {
  stream_present = 0,
  stream_data = 1,
  stream_row_index = 6,
};

enum EncodingKind : std::uint32_t {
  encoding_direct = 0,
  encoding_dictionary = 1,
  encoding_direct_v2 = 2,
  encoding_dictionary_v2 = 3,
};

constexpr std::array<std::string_view, 19> type_names = {"boolean",
                                                         "tinyint",
                                                         "smallint",
                                                         "int",
                                                         "bigint",
                                                         "float",
                                                         "double",
                                                         "string",
                                                         "binary",
                                                         "timestamp",
                                                         "list",
                                                         "map",
                                                         "struct",
                                                         "union",
                                                         "decimal",
                                                         "date",
                                                         "varchar",
                                                         "char",
                                                         "timestamp with local time zone"};
constexpr std::array<std::string_view, 7> compression_names = {"none", "zlib", "snappy", "lzo",
                                                               "lz4",  "zstd", "brotli"};
constexpr std::array<std::string_view, 4> encoding_names = {"DIRECT", "DICTIONARY", "DIRECT_V2",
                                                            "DICTIONARY_V2"};

// The name of a kind, or the number of one that has none.
std::string kind_name(std::span<const std::string_view> names, std::uint32_t kind) {
  return kind < names.size() ? std::string(names[kind]) : "number " + std::to_string(kind);
}

// What all stripes have in common.
struct FileMetadata {
  OrcCompression compression;
  std::uint64_t chunk_bytes;
  // Of the file: where the last stripe ends at most.
  std::uint64_t content_end;
  orc_proto::Footer footer;
};

template <typename Message>
Message parsed(std::span<const std::uint8_t> bytes, const std::string& place) {
  Message message;
  constexpr std::size_t most = std::numeric_limits<int>::max();
  if (bytes.size() > most || !message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    throw OrcError(place, "is no such message in the protobuf encoding");
  }
  return message;
}

// `count` bytes at `offset` of the file, which has them.
std::span<const std::uint8_t> part_of(std::span<const std::uint8_t> file, std::uint64_t offset,
                                      std::uint64_t count) {
  return file.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(count));
}

template <typename Message>
Message uncompressed_message(std::span<const std::uint8_t> stored, const FileMetadata& metadata,
                             const std::string& place) {
  return parsed<Message>(uncompressed_orc(stored, metadata.compression, metadata.chunk_bytes, place), place);
}

bool starts_with_magic(std::span<const std::uint8_t> bytes) {
  return bytes.size() >= orc_magic.size() &&
         std::equal(orc_magic.begin(), orc_magic.end(), bytes.begin(),
                    [](char letter, std::uint8_t byte) { return static_cast<std::uint8_t>(letter) == byte; });
}

OrcCompression compression_of(const orc_proto::PostScript& postscript) {
  switch (postscript.compression()) {
    case 0:
      return OrcCompression::none;
    case 1:
      return OrcCompression::zlib;
    default:
      throw OrcError("postscript", "the file is compressed with " +
                                       kind_name(compression_names, postscript.compression()) +
                                       "; only zlib is read");
  }
}

FileMetadata metadata_of(std::span<const std::uint8_t> file) {
  if (!starts_with_magic(file)) throw OrcError("file", "does not start with ORC, as ORC files do");
  if (file.size() == orc_magic.size()) throw OrcError("file", "has nothing after its first bytes");
  const std::uint64_t postscript_bytes = file.back();
  if (postscript_bytes > file.size() - 1 - orc_magic.size()) {
    throw OrcError("postscript",
                   "its length is " + std::to_string(postscript_bytes) + " bytes, more than the file has");
  }
  const std::uint64_t tail = file.size() - 1 - postscript_bytes;
  const auto postscript = parsed<orc_proto::PostScript>(part_of(file, tail, postscript_bytes), "postscript");
  if (postscript.magic() != orc_magic) throw OrcError("postscript", "its magic is not ORC");
  FileMetadata metadata = {.compression = compression_of(postscript),
                           .chunk_bytes = postscript.compressionblocksize(),
                           .content_end = tail - orc_magic.size(),
                           .footer = {}};
  // Headers of chunks have 23 bits for the size.
  constexpr std::uint64_t most_chunk_bytes = (1U << 23) - 1;
  if (metadata.compression != OrcCompression::none && metadata.chunk_bytes > most_chunk_bytes) {
    throw OrcError("postscript", "compressionBlockSize is " + std::to_string(metadata.chunk_bytes) +
                                     ", and chunks have at most " + std::to_string(most_chunk_bytes) +
                                     " bytes");
  }
  // What is left after each part is taken from the end.
  for (const auto& [name, bytes] : {std::pair{"footerLength", postscript.footerlength()},
                                    std::pair{"metadataLength", postscript.metadatalength()}}) {
    if (bytes > metadata.content_end) {
      throw OrcError("postscript", std::string(name) + " is " + std::to_string(bytes) + ", and only " +
                                       std::to_string(metadata.content_end) + " bytes precede");
    }
    metadata.content_end -= bytes;
  }
  metadata.content_end += orc_magic.size();
  metadata.footer = uncompressed_message<orc_proto::Footer>(
      part_of(file, tail - postscript.footerlength(), postscript.footerlength()), metadata, "footer");
  if (metadata.footer.has_encryption()) throw OrcError("footer", "the file is encrypted");
  return metadata;
}

// The number of the column in the list of types.
std::uint32_t column_number(const orc_proto::Footer& footer, const std::string& name) {
  if (footer.types_size() == 0 || footer.types(0).kind() != type_struct) {
    throw OrcError("footer", "the type of rows is no struct");
  }
  const auto& rows = footer.types(0);
  if (rows.fieldnames_size() != rows.subtypes_size()) {
    throw OrcError("footer", "the struct of rows has " + std::to_string(rows.subtypes_size()) +
                                 " columns and " + std::to_string(rows.fieldnames_size()) + " names");
  }
  for (int i = 0; i < rows.subtypes_size(); ++i) {
    if (rows.fieldnames(i) != name) continue;
    if (rows.subtypes(i) == 0 || rows.subtypes(i) >= static_cast<std::uint32_t>(footer.types_size())) {
      throw OrcError("footer", "column '" + name + "' has type number " + std::to_string(rows.subtypes(i)) +
                                   ", and there are " + std::to_string(footer.types_size()) + " types");
    }
    return rows.subtypes(i);
  }
  std::string names;
  for (const std::string& other : rows.fieldnames()) names += (names.empty() ? "'" : ", '") + other + "'";
  throw OrcError("footer",
                 "has no column '" + name + "'; its columns are " + (names.empty() ? "none" : names));
}

OrcValues values_of(std::uint32_t kind, const std::string& name) {
  switch (kind) {
    case type_boolean:
      return OrcValues::boolean;
    case type_byte:
      return OrcValues::int8;
    case type_short:
      return OrcValues::int16;
    case type_int:
      return OrcValues::int32;
    case type_long:
      return OrcValues::int64;
    case type_date:
      return OrcValues::date;
    case type_string:
    case type_varchar:
    case type_char:
      return OrcValues::indices;
    default:
      throw OrcError("footer",
                     "column '" + name + "' has type " + kind_name(type_names, kind) +
                         "; what is decoded are integers, dates, booleans and numbers of dictionary "
                         "entries");
  }
}

OrcCoding coding_of(OrcValues values, std::uint32_t encoding, const std::string& place) {
  const bool is_dictionary = encoding == encoding_dictionary || encoding == encoding_dictionary_v2;
  const bool is_v2 = encoding == encoding_direct_v2 || encoding == encoding_dictionary_v2;
  const bool is_of_bytes = values == OrcValues::boolean || values == OrcValues::int8;
  if (encoding > encoding_dictionary_v2 || is_dictionary != (values == OrcValues::indices) ||
      (is_of_bytes && is_v2)) {
    throw OrcError(place, "is " + kind_name(encoding_names, encoding) +
                              (values == OrcValues::indices ? "; only strings with a dictionary are decoded"
                                                            : ", which this type never is"));
  }
  if (is_of_bytes) return OrcCoding::bytes;
  return is_v2 ? OrcCoding::run_lengths_v2 : OrcCoding::run_lengths_v1;
}

// The streams of a column in a stripe.
struct ColumnStreams {
  std::optional<OrcStream> present;
  std::optional<OrcStream> data;
  std::optional<OrcStream> row_index;
};

// Positions of a row group in the order in which they are stored: numbers for each stream.
class PositionReader {
public:
  PositionReader(const orc_proto::RowIndexEntry& entry, const FileMetadata& metadata, std::string place)
      : entry_(entry), metadata_(metadata), place_(std::move(place)) {}

  OrcPosition read(const OrcStream& stream, bool has_bits, const char* name) {
    const bool has_chunks = metadata_.compression != OrcCompression::none;
    OrcPosition position = {};
    if (has_chunks) position.chunk = next(stream.bytes, name);
    position.byte = next(has_chunks ? metadata_.chunk_bytes : stream.bytes, name);
    constexpr std::uint64_t most_values_of_run = 512;
    position.values = next(most_values_of_run, name);
    if (has_bits) position.bits = next(7, name);
    return position;
  }

  void check_end() const {
    if (next_ != entry_.positions_size()) {
      throw OrcError(place_, "has " + std::to_string(entry_.positions_size()) +
                                 " positions, and the streams " + std::to_string(next_));
    }
  }

private:
  std::uint64_t next(std::uint64_t most, const char* name) {
    if (next_ == entry_.positions_size()) {
      throw OrcError(place_, "has " + std::to_string(next_) + " positions, fewer than its streams");
    }
    const std::uint64_t position = entry_.positions(next_);
    ++next_;
    if (position > most) {
      throw OrcError(place_, "position " + std::to_string(position) + " in stream " + name +
                                 " is more than " + std::to_string(most));
    }
    return position;
  }

  const orc_proto::RowIndexEntry& entry_;
  const FileMetadata& metadata_;
  std::string place_;
  int next_ = 0;
};

class StripeReader {
public:
  StripeReader(std::span<const std::uint8_t> file, const FileMetadata& metadata, const std::string& name,
               std::uint32_t number, OrcValues values)
      : file_(file), metadata_(metadata), name_(name), number_(number), values_(values) {}

  OrcStripe read(std::uint64_t index) const {
    const std::string place = "stripe " + std::to_string(index);
    const orc_proto::StripeInformation& information = metadata_.footer.stripes(static_cast<int>(index));
    check_extent(information, end_of_stripe_before(index), place);
    const std::uint64_t streams_bytes = information.indexlength() + information.datalength();
    const auto footer = uncompressed_message<orc_proto::StripeFooter>(
        part_of(file_, information.offset() + streams_bytes, information.footerlength()), metadata_,
        place + ", footer");
    const ColumnStreams streams = streams_in(footer, information.offset(), streams_bytes, index);
    if (number_ >= static_cast<std::uint32_t>(footer.columns_size())) {
      throw OrcError(place + ", footer", "has encodings of " + std::to_string(footer.columns_size()) +
                                             " columns, and '" + name_ + "' is number " +
                                             std::to_string(number_));
    }
    const orc_proto::ColumnEncoding& encoding = footer.columns(static_cast<int>(number_));
    OrcStripe stripe = {.rows = information.numberofrows(),
                        .coding = coding_of(values_, encoding.kind(), orc_place(name_, index, "encoding")),
                        .dictionary_entries = encoding.dictionarysize(),
                        .present = streams.present,
                        .data = streams.data.value_or(OrcStream{.offset = information.offset(), .bytes = 0}),
                        .row_groups = {}};
    if (streams.row_index && metadata_.footer.rowindexstride() != 0) {
      read_row_index(*streams.row_index, index, stripe);
    }
    return stripe;
  }

private:
  // That stripe has been checked.
  std::uint64_t end_of_stripe_before(std::uint64_t index) const {
    if (index == 0) return orc_magic.size();
    const auto& before = metadata_.footer.stripes(static_cast<int>(index) - 1);
    return before.offset() + before.indexlength() + before.datalength() + before.footerlength();
  }

  // Stripes follow each other: a short file would have any number of values if they overlapped.
  void check_extent(const orc_proto::StripeInformation& information, std::uint64_t begin,
                    const std::string& place) const {
    if (information.offset() < begin || information.offset() > metadata_.content_end) {
      throw OrcError(place, "its offset is " + std::to_string(information.offset()) +
                                ", and it must be in bytes " + std::to_string(begin) + " to " +
                                std::to_string(metadata_.content_end));
    }
    std::uint64_t room = metadata_.content_end - information.offset();
    for (const auto& [part, bytes] : {std::pair{"indexLength", information.indexlength()},
                                      std::pair{"dataLength", information.datalength()},
                                      std::pair{"footerLength", information.footerlength()}}) {
      if (bytes > room) {
        throw OrcError(place, std::string(part) + " is " + std::to_string(bytes) + ", and only " +
                                  std::to_string(room) + " bytes follow before the end of all stripes");
      }
      room -= bytes;
    }
  }

  // Streams are stored one after the other in the order of the list.
  ColumnStreams streams_in(const orc_proto::StripeFooter& footer, std::uint64_t offset, std::uint64_t room,
                           std::uint64_t index) const {
    ColumnStreams found;
    for (const orc_proto::Stream& stream : footer.streams()) {
      if (stream.length() > room) {
        throw OrcError("stripe " + std::to_string(index) + ", footer",
                       "a stream of column number " + std::to_string(stream.column()) + " has " +
                           std::to_string(stream.length()) + " bytes, and only " + std::to_string(room) +
                           " are left of the stripe");
      }
      // Of a struct of rows that may be null itself, columns would have fewer values than rows.
      if (stream.column() == 0 && stream.kind() == stream_present) {
        throw OrcError("stripe " + std::to_string(index) + ", footer", "rows as a whole are null");
      }
      if (stream.column() == number_) {
        std::optional<OrcStream>* const wanted = member_for(found, stream.kind());
        if (wanted != nullptr && *wanted) {
          throw OrcError(orc_place(name_, index, "footer"),
                         "has two streams of kind " + std::to_string(stream.kind()));
        }
        if (wanted != nullptr) *wanted = {.offset = offset, .bytes = stream.length()};
      }
      offset += stream.length();
      room -= stream.length();
    }
    return found;
  }

  static std::optional<OrcStream>* member_for(ColumnStreams& streams, std::uint32_t kind) {
    switch (kind) {
      case stream_present:
        return &streams.present;
      case stream_data:
        return &streams.data;
      case stream_row_index:
        return &streams.row_index;
      default:
        return nullptr;
    }
  }

  void read_row_index(const OrcStream& stream, std::uint64_t stripe_index, OrcStripe& stripe) const {
    const std::string place = orc_place(name_, stripe_index, "row index");
    const auto index = uncompressed_message<orc_proto::RowIndex>(part_of(file_, stream.offset, stream.bytes),
                                                                 metadata_, place);
    const std::uint64_t stride = metadata_.footer.rowindexstride();
    const std::uint64_t groups = stripe.rows / stride + (stripe.rows % stride == 0 ? 0 : 1);
    if (static_cast<std::uint64_t>(index.entry_size()) != groups) {
      throw OrcError(place, "has " + std::to_string(index.entry_size()) + " entries, and " +
                                std::to_string(stripe.rows) + " rows are " + std::to_string(groups) +
                                " groups of " + std::to_string(stride));
    }
    std::uint64_t rows_left = stripe.rows;
    for (const orc_proto::RowIndexEntry& entry : index.entry()) {
      PositionReader positions(entry, metadata_,
                               place + ", group " + std::to_string(stripe.row_groups.size()));
      OrcRowGroup group = {.rows = std::min(stride, rows_left), .present = std::nullopt, .data = {}};
      if (stripe.present) group.present = positions.read(*stripe.present, true, "PRESENT");
      group.data = positions.read(stripe.data, values_ == OrcValues::boolean, "DATA");
      positions.check_end();
      rows_left -= group.rows;
      stripe.row_groups.push_back(group);
    }
  }

  std::span<const std::uint8_t> file_;
  const FileMetadata& metadata_;
  const std::string& name_;
  std::uint32_t number_;
  OrcValues values_;
};

}  // namespace

OrcColumn read_orc_column(std::span<const std::uint8_t> file, const std::string& name) {
  const FileMetadata metadata = metadata_of(file);
  const std::uint32_t number = column_number(metadata.footer, name);
  OrcColumn column = {.name = name,
                      .values = values_of(metadata.footer.types(static_cast<int>(number)).kind(), name),
                      .compression = metadata.compression,
                      .chunk_bytes = metadata.chunk_bytes,
                      .rows = 0,
                      .stripes = {}};
  const StripeReader reader(file, metadata, name, number, column.values);
  for (int i = 0; i < metadata.footer.stripes_size(); ++i) {
    column.stripes.push_back(reader.read(static_cast<std::uint64_t>(i)));
    const std::uint64_t rows = column.stripes.back().rows;
    if (rows > metadata.footer.numberofrows() - column.rows) {
      throw OrcError("footer", "numberOfRows is " + std::to_string(metadata.footer.numberofrows()) +
                                   ", and the stripes have more");
    }
    column.rows += rows;
  }
  if (column.rows != metadata.footer.numberofrows()) {
    throw OrcError("footer", "numberOfRows is " + std::to_string(metadata.footer.numberofrows()) +
                                 ", and the stripes have " + std::to_string(column.rows));
  }
  return column;
}

}  // namespace gsst::codag::orc
