#include "stages/tile_integer/parquet/parquet_file.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "common/format/bytes.hpp"
#include "stages/tile_integer/parquet/metadata_reader.hpp"
#include "stages/tile_integer/parquet/page_bytes.hpp"

// Numbers of fields and of enumerators are those of the Parquet format's parquet.thrift, by whose names they
// are called.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::parquet_magic_bytes;
using format::tile_integer::parquet_tail_bytes;
using format::tile_integer::ParquetColumn;
using format::tile_integer::ParquetDictionary;
using format::tile_integer::ParquetEncoding;
using format::tile_integer::ParquetError;
using format::tile_integer::ParquetPage;
using format::tile_integer::ParquetValues;

struct SchemaElement {
  std::optional<std::int32_t> type;
  std::optional<std::int32_t> repetition_type;
  std::string name;
  std::optional<std::int32_t> num_children;
};

struct ColumnChunk {
  std::vector<std::string> path;
  std::optional<std::int32_t> codec;
  std::optional<std::int64_t> num_values;
  std::optional<std::int64_t> total_compressed_size;
  std::optional<std::int64_t> data_page_offset;
  std::optional<std::int64_t> dictionary_page_offset;
};

struct FileMetadata {
  std::vector<SchemaElement> schema;
  std::vector<std::vector<ColumnChunk>> row_groups;
};

struct PageHeader {
  std::optional<std::int32_t> type;
  std::optional<std::int32_t> uncompressed_page_size;
  std::optional<std::int32_t> compressed_page_size;
  // Of the header for the page's own type.
  std::optional<std::int32_t> num_values;
  std::optional<std::int32_t> encoding;
  std::optional<std::int32_t> definition_level_encoding;
  std::optional<std::int32_t> definition_levels_byte_length;
  std::optional<std::int32_t> repetition_levels_byte_length;
  std::optional<bool> is_compressed;
};

SchemaElement read_schema_element(MetadataReader& reader) {
  SchemaElement element;
  reader.read_struct([&](std::int16_t field) {
    switch (field) {
      case 1:
        return reader.read(element.type);
      case 3:
        return reader.read(element.repetition_type);
      case 4:
        return reader.read(element.name);
      case 5:
        return reader.read(element.num_children);
      default:
        return false;
    }
  });
  return element;
}

ColumnChunk read_column_chunk(MetadataReader& reader) {
  ColumnChunk chunk;
  const auto read_column_metadata = [&](std::int16_t field) {
    switch (field) {
      case 3:
        return reader.read_texts([&](const std::string& text) { chunk.path.push_back(text); });
      case 4:
        return reader.read(chunk.codec);
      case 5:
        return reader.read(chunk.num_values);
      case 7:
        return reader.read(chunk.total_compressed_size);
      case 9:
        return reader.read(chunk.data_page_offset);
      case 11:
        return reader.read(chunk.dictionary_page_offset);
      default:
        return false;
    }
  };
  reader.read_struct(
      [&](std::int16_t field) { return field == 3 && reader.read_struct_field(read_column_metadata); });
  return chunk;
}

FileMetadata read_file_metadata(MetadataReader& reader) {
  FileMetadata metadata;
  reader.read_struct([&](std::int16_t field) {
    if (field == 2) {
      return reader.read_structs([&] { metadata.schema.push_back(read_schema_element(reader)); });
    }
    return field == 4 && reader.read_structs([&] {
      auto& chunks = metadata.row_groups.emplace_back();
      reader.read_struct([&](std::int16_t field_of_group) {
        return field_of_group == 1 &&
               reader.read_structs([&] { chunks.push_back(read_column_chunk(reader)); });
      });
    });
  });
  return metadata;
}

PageHeader read_page_header(MetadataReader& reader) {
  PageHeader header;
  // The headers of the three types of pages.
  const auto read_data_page = [&](std::int16_t field) {
    switch (field) {
      case 1:
        return reader.read(header.num_values);
      case 2:
        return reader.read(header.encoding);
      case 3:
        return reader.read(header.definition_level_encoding);
      default:
        return false;
    }
  };
  const auto read_dictionary_page = [&](std::int16_t field) {
    return field == 1 ? reader.read(header.num_values) : field == 2 && reader.read(header.encoding);
  };
  const auto read_data_page_v2 = [&](std::int16_t field) {
    switch (field) {
      case 1:
        return reader.read(header.num_values);
      case 4:
        return reader.read(header.encoding);
      case 5:
        return reader.read(header.definition_levels_byte_length);
      case 6:
        return reader.read(header.repetition_levels_byte_length);
      case 7:
        return reader.read(header.is_compressed);
      default:
        return false;
    }
  };
  reader.read_struct([&](std::int16_t field) {
    switch (field) {
      case 1:
        return reader.read(header.type);
      case 2:
        return reader.read(header.uncompressed_page_size);
      case 3:
        return reader.read(header.compressed_page_size);
      case 5:
        return reader.read_struct_field(read_data_page);
      case 7:
        return reader.read_struct_field(read_dictionary_page);
      case 8:
        return reader.read_struct_field(read_data_page_v2);
      default:
        return false;
    }
  });
  return header;
}

// A number that must be there, from 0 to `most`.
template <typename Number>
std::uint64_t required(std::optional<Number> number, std::uint64_t most, std::optional<std::uint64_t> page,
                       const std::string& field) {
  if (!number) throw ParquetError(page, field, "is missing");
  if (*number < 0 || static_cast<std::uint64_t>(*number) > most) {
    throw ParquetError(page, field,
                       "is " + std::to_string(*number) + ", expected 0 to " + std::to_string(most));
  }
  return static_cast<std::uint64_t>(*number);
}

std::uint32_t required_size(std::optional<std::int32_t> number, std::uint64_t page,
                            const std::string& field) {
  return static_cast<std::uint32_t>(required(number, std::numeric_limits<std::int32_t>::max(), page, field));
}

// The metadata at the file's end.
FileMetadata metadata_of(std::span<const std::uint8_t> file) {
  constexpr std::string_view magic = "PAR1";
  const auto is_magic = [&](std::span<const std::uint8_t> bytes) { return std::ranges::equal(bytes, magic); };
  if (file.size() < parquet_magic_bytes + parquet_tail_bytes || !is_magic(file.first(parquet_magic_bytes)) ||
      !is_magic(file.last(parquet_magic_bytes))) {
    throw ParquetError(std::nullopt, "magic",
                       "the file does not begin and end with PAR1, or it is encrypted");
  }
  const auto tail = file.last(parquet_tail_bytes);
  const std::uint64_t length = format::load_little_endian<4>(tail.data());
  if (length > file.size() - parquet_magic_bytes - parquet_tail_bytes) {
    throw ParquetError(
        std::nullopt, "length of the metadata",
        "is " + std::to_string(length) + ", the file has " + std::to_string(file.size()) + " bytes");
  }
  try {
    MetadataReader reader(file.subspan(file.size() - parquet_tail_bytes - length, length));
    return read_file_metadata(reader);
  } catch (const apache::thrift::TException& error) {
    throw ParquetError(std::nullopt, "metadata", error.what());
  }
}

// The column's element of the schema, which lists the root, then each child followed by its own children.
const SchemaElement& element_of(const FileMetadata& metadata, const std::string& name) {
  // Elements that are still to come as children of what was left out.
  std::int64_t nested = 0;
  for (std::size_t i = 1; i < metadata.schema.size(); ++i) {
    const SchemaElement& element = metadata.schema[i];
    const std::int64_t children = element.num_children.value_or(0);
    const bool is_nested = nested > 0;
    if (is_nested) --nested;
    nested += children;
    if (is_nested || element.name != name) continue;
    if (children != 0) throw ParquetError(std::nullopt, "schema", "column '" + name + "' is nested");
    return element;
  }
  throw ParquetError(std::nullopt, "schema", "has no column '" + name + "'");
}

ParquetColumn empty_column(const SchemaElement& element) {
  constexpr std::int32_t int32_type = 1;
  constexpr std::int32_t int64_type = 2;
  constexpr std::int32_t optional_repetition = 1;
  const std::int32_t type = element.type.value_or(-1);
  const std::uint64_t repetition =
      required(element.repetition_type, optional_repetition, std::nullopt, "repetition_type");
  return {.values = type == int32_type   ? ParquetValues::int32
                    : type == int64_type ? ParquetValues::int64
                                         : ParquetValues::indices,
          .is_nullable = repetition == optional_repetition};
}

// Whether the pages of a chunk are compressed, with GZIP.
bool has_gzip_pages(const ColumnChunk& chunk, std::size_t row_group) {
  constexpr std::array<std::string_view, 8> names = {"UNCOMPRESSED", "SNAPPY", "GZIP", "LZO",
                                                     "BROTLI",       "LZ4",    "ZSTD", "LZ4_RAW"};
  constexpr std::uint64_t uncompressed = 0;
  constexpr std::uint64_t gzip = 2;
  const std::uint64_t codec = required(chunk.codec, names.size() - 1, std::nullopt, "codec");
  if (codec == uncompressed || codec == gzip) return codec == gzip;
  throw ParquetError(std::nullopt, "codec",
                     "the pages of row group " + std::to_string(row_group) + " are compressed with " +
                         std::string(names[codec]) + "; only UNCOMPRESSED and GZIP ones are decoded");
}

// The column's chunk of each row group.
std::vector<const ColumnChunk*> chunks_of(const FileMetadata& metadata, const std::string& name) {
  std::vector<const ColumnChunk*> found;
  for (std::size_t i = 0; i < metadata.row_groups.size(); ++i) {
    const auto& chunks = metadata.row_groups[i];
    const auto chunk = std::ranges::find(chunks, std::vector{name}, &ColumnChunk::path);
    if (chunk == chunks.end()) {
      throw ParquetError(std::nullopt, "path_in_schema",
                         "row group " + std::to_string(i) + " has no column '" + name + "'");
    }
    found.push_back(&*chunk);
  }
  return found;
}

// Reads the pages of the chunks of a column, one after the other.
class PageReader {
public:
  // Where there are `decompressed` pages, all are appended to these.
  PageReader(std::span<const std::uint8_t> file, ParquetColumn& column, DecompressedPages* decompressed)
      : file_(file), column_(column), decompressed_(decompressed) {}

  void read_chunk(const ColumnChunk& chunk, bool has_gzip_pages) {
    has_gzip_pages_ = has_gzip_pages;
    const std::uint64_t data =
        required(chunk.data_page_offset, file_.size(), std::nullopt, "data_page_offset");
    std::uint64_t offset = data;
    if (chunk.dictionary_page_offset.value_or(0) > 0) {
      offset = std::min(data, static_cast<std::uint64_t>(*chunk.dictionary_page_offset));
    }
    const std::uint64_t size =
        required(chunk.total_compressed_size, file_.size() - offset, std::nullopt, "total_compressed_size");
    const std::uint64_t rows =
        column_.rows +
        required(chunk.num_values, std::numeric_limits<std::int64_t>::max(), std::nullopt, "num_values");
    has_dictionary_ = false;
    dictionary_ = {};
    for (const std::uint64_t end = offset + size; column_.rows < rows; ++page_) {
      offset = read_page(offset, end);
    }
    if (column_.rows != rows) {
      throw ParquetError(page_ - 1, "num_values",
                         "with the chunk's pages before it is more than the chunk's");
    }
  }

private:
  // The end of the page at `offset`, which is at most `end`.
  std::uint64_t read_page(std::uint64_t offset, std::uint64_t end) {
    const auto bytes =
        file_.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(end - offset));
    MetadataReader reader(bytes);
    PageHeader header;
    try {
      header = read_page_header(reader);
    } catch (const apache::thrift::TException& error) {
      throw ParquetError(page_, "page header", error.what());
    }
    const std::uint64_t begin = offset + reader.position();
    const std::uint64_t size =
        required(header.compressed_page_size, end - begin, page_, "compressed_page_size");
    constexpr std::uint64_t data_page = 0;
    constexpr std::uint64_t dictionary_page = 2;
    constexpr std::uint64_t data_page_v2 = 3;
    const std::uint64_t type = required(header.type, data_page_v2, page_, "type");
    if (type == dictionary_page || type == data_page || type == data_page_v2) {
      const PagePlace place = place_of(header, begin, static_cast<std::uint32_t>(size), type == data_page_v2);
      if (type == dictionary_page) {
        read_dictionary(header, place.offset, place.bytes);
      } else {
        append_data_page(header, place, type == data_page_v2);
      }
    }
    return begin + size;
  }

  // Where a page's bytes are that are not compressed.
  struct PagePlace {
    std::uint64_t offset;
    std::uint32_t bytes;
  };

  PagePlace place_of(const PageHeader& header, std::uint64_t offset, std::uint32_t size, bool is_v2) {
    if (decompressed_ == nullptr) return {.offset = offset, .bytes = size};
    const std::uint32_t bytes = required_size(header.uncompressed_page_size, page_, "uncompressed_page_size");
    CompressedPage page = {.number = page_,
                           .offset = offset,
                           .bytes = file_.subspan(static_cast<std::size_t>(offset), size),
                           .plain_bytes = 0,
                           .is_compressed = has_gzip_pages_,
                           .uncompressed_bytes = bytes};
    if (is_v2) {
      // Levels come first, and are never compressed.
      page.plain_bytes =
          required_size(header.definition_levels_byte_length, page_, "definition_levels_byte_length");
      page.is_compressed = has_gzip_pages_ && header.is_compressed.value_or(true);
    }
    return {.offset = decompressed_->append(page), .bytes = bytes};
  }

  // What a decoder gets as the file.
  std::span<const std::uint8_t> bytes_of_pages() const {
    return decompressed_ == nullptr ? file_ : decompressed_->bytes();
  }

  void read_dictionary(const PageHeader& header, std::uint64_t offset, std::uint64_t size) {
    if (has_dictionary_) throw ParquetError(page_, "type", "is that of the chunk's second dictionary");
    const std::uint32_t values = required_size(header.num_values, page_, "num_values");
    const std::uint64_t encoding = required(header.encoding, 8, page_, "encoding");
    if (encoding != static_cast<std::uint64_t>(ParquetEncoding::plain) &&
        encoding != static_cast<std::uint64_t>(ParquetEncoding::plain_dictionary)) {
      throw ParquetError(page_, "encoding", "is " + std::to_string(encoding) + ", dictionaries are PLAIN");
    }
    if (column_.values != ParquetValues::indices && values > size / value_bytes_of(column_.values)) {
      throw ParquetError(
          page_, "num_values",
          "is " + std::to_string(values) + ", the page has " + std::to_string(size) + " bytes");
    }
    has_dictionary_ = true;
    dictionary_ = {.offset = offset, .values = values};
  }

  void append_data_page(const PageHeader& header, const PagePlace& place, bool is_v2) {
    const std::uint32_t rows = required_size(header.num_values, page_, "num_values");
    const auto encoding = static_cast<ParquetEncoding>(required_size(header.encoding, page_, "encoding"));
    ParquetPage page = {.number = page_,
                        .offset = place.offset,
                        .bytes = place.bytes,
                        .rows = rows,
                        .encoding = encoding,
                        .level_bytes = std::nullopt};
    if (is_v2) {
      page.level_bytes =
          required_size(header.definition_levels_byte_length, page_, "definition_levels_byte_length");
      // Neither is there for a column that is not nested and has no nulls.
      required(header.repetition_levels_byte_length, 0, page_, "repetition_levels_byte_length");
      if (!column_.is_nullable)
        required(header.definition_levels_byte_length, 0, page_, "definition_levels_byte_length");
    } else if (column_.is_nullable &&
               header.definition_level_encoding != static_cast<std::int32_t>(ParquetEncoding::rle)) {
      throw ParquetError(page_, "definition_level_encoding", "is not RLE");
    }
    const bool has_indices =
        encoding == ParquetEncoding::plain_dictionary || encoding == ParquetEncoding::rle_dictionary;
    if (has_indices && !has_dictionary_)
      throw ParquetError(page_, "encoding", "needs a dictionary, the chunk has none");
    append_page(column_, bytes_of_pages(), page, dictionary_);
  }

  std::span<const std::uint8_t> file_;
  ParquetColumn& column_;
  DecompressedPages* decompressed_;
  bool has_gzip_pages_ = false;
  // Of the column, the next one.
  std::uint64_t page_ = 0;
  // Of the chunk.
  bool has_dictionary_ = false;
  ParquetDictionary dictionary_;
};

}  // namespace

ParquetFileColumn read_parquet_column(std::span<const std::uint8_t> file, const std::string& name) {
  const FileMetadata metadata = metadata_of(file);
  ParquetFileColumn found = {.column = empty_column(element_of(metadata, name))};
  const std::vector<const ColumnChunk*> chunks = chunks_of(metadata, name);
  std::vector<bool> are_gzip;
  for (std::size_t i = 0; i < chunks.size(); ++i) are_gzip.push_back(has_gzip_pages(*chunks[i], i));
  const bool is_compressed = std::ranges::find(are_gzip, true) != are_gzip.end();
  DecompressedPages decompressed;
  PageReader pages(file, found.column, is_compressed ? &decompressed : nullptr);
  for (std::size_t i = 0; i < chunks.size(); ++i) pages.read_chunk(*chunks[i], are_gzip[i]);
  if (is_compressed) found.decompressed = decompressed.take();
  return found;
}

}  // namespace gsst::tile_integer
