#include "common/format/tile_integer/parquet_column.hpp"

#include <limits>
#include <utility>

#include "common/format/bytes.hpp"
#include "common/format/part_size.hpp"
#include "common/format/tile_integer/parquet_bytes.hpp"

namespace gsst::format::tile_integer {
namespace {

constexpr std::string_view levels_prefix = "definition levels, ";

std::string message_of(std::optional<std::uint64_t> page, const std::string& field,
                       const std::string& problem) {
  return (page ? "page " + std::to_string(*page) + ": " : std::string()) + field + ": " + problem;
}

// A number of the header of a page's values.
std::uint64_t header_number(ParquetBytes& bytes, std::uint64_t page, const char* field, std::uint64_t most) {
  const ParquetNumber number = bytes.number(most);
  if (number.state == ParquetNumber::State::ends) throw ParquetError(page, field, "the page ends in it");
  if (number.state == ParquetNumber::State::too_large) {
    throw ParquetError(page, field, "is more than " + std::to_string(most));
  }
  return number.value;
}

// Values of the page that are not null.
std::uint32_t count_of_levels(std::span<const std::uint8_t> levels, std::uint32_t rows, std::uint64_t page) {
  ParquetBytes bytes(levels);
  std::uint32_t count = 0;
  for (std::uint32_t read = 0; read < rows;) {
    const ParquetRun run = read_run(bytes, 1, rows - read);
    if (run.status != ParquetStatus::decoded) {
      const ParquetProblem problem = problem_of(run.status);
      throw ParquetError(page, std::string(levels_prefix) + std::string(problem.field),
                         std::string(problem.problem));
    }
    if (!run.is_packed) count += run.value * run.values;
    for (std::uint32_t i = 0; run.is_packed && i < run.values; ++i) {
      count += static_cast<std::uint32_t>(packed_value(run.packed, i, 1));
    }
    read += run.values;
  }
  return count;
}

// The header of DELTA_BINARY_PACKED; `bytes` is at its start and left at its end.
void read_delta_header(ParquetStream& stream, ParquetBytes& bytes, std::uint32_t value_bytes,
                       std::uint64_t page) {
  constexpr std::uint32_t block_unit = 128;
  constexpr std::uint32_t miniblock_unit = 32;
  const std::uint64_t block = header_number(bytes, page, "block size", max_parquet_block_values);
  if (block == 0 || block % block_unit != 0) {
    throw ParquetError(page, "block size", "is " + std::to_string(block) + ", expected a multiple of 128");
  }
  const std::uint64_t miniblocks = header_number(bytes, page, "miniblock count", block / miniblock_unit);
  if (miniblocks == 0 || block % (miniblocks * miniblock_unit) != 0) {
    throw ParquetError(page, "miniblock count",
                       "is " + std::to_string(miniblocks) + ", which does not cut a block of " +
                           std::to_string(block) + " values into miniblocks of a multiple of 32");
  }
  const std::uint64_t values =
      header_number(bytes, page, "value count", std::numeric_limits<std::uint32_t>::max());
  if (values != stream.values) {
    throw ParquetError(page, "value count",
                       "is " + std::to_string(values) + ", the page's header and definition levels say " +
                           std::to_string(stream.values));
  }
  const std::uint64_t most = value_bytes == 8 ? std::numeric_limits<std::uint64_t>::max()
                                              : std::numeric_limits<std::uint32_t>::max();
  stream.first_value = from_zigzag(header_number(bytes, page, "first value", most));
  stream.block_values = static_cast<std::uint32_t>(block);
  stream.miniblocks = static_cast<std::uint32_t>(miniblocks);
  stream.pieces = values == 0 ? 0 : static_cast<std::uint32_t>(part_size(values - 1, block));
  // Else a few bytes could ask for any amount of memory.
  if (stream.pieces * (miniblocks + 1) > bytes.left()) {
    throw ParquetError(page, "value count",
                       "is " + std::to_string(values) + ", the page ends before that many blocks");
  }
}

// A kernel reads whole words, which may extend past both ends of a page.
void check_place(std::span<const std::uint8_t> file, std::uint64_t offset, std::uint64_t bytes,
                 std::uint64_t page, const char* field) {
  const std::uint64_t end = file.size() < parquet_tail_bytes ? 0 : file.size() - parquet_tail_bytes;
  if (offset >= parquet_magic_bytes && offset <= end && bytes <= end - offset) return;
  throw ParquetError(page, field, "extends past the end of the file's pages");
}

void append_stream(ParquetColumn& column, ParquetStream stream, std::uint64_t page) {
  if (column.pieces + stream.pieces > std::numeric_limits<std::int32_t>::max()) {
    throw ParquetError(page, "num_values", "with the pages before it is more than a decoder takes at once");
  }
  stream.first_piece = static_cast<std::uint32_t>(column.pieces);
  column.pieces += stream.pieces;
  column.streams.push_back(stream);
  column.pages.push_back(page);
}

// Reads the definition levels at the start of `bytes` and appends their stream. The values that are not null.
std::uint32_t append_levels(ParquetColumn& column, ParquetBytes& bytes, const ParquetPage& page) {
  std::uint64_t length = 0;
  if (page.level_bytes) {
    length = *page.level_bytes;
  } else {
    constexpr int length_bytes = 4;
    const auto field = bytes.take(length_bytes);
    if (!field) throw ParquetError(page.number, "definition levels, length", "the page ends in it");
    length = load_little_endian<length_bytes>(field->data());
  }
  const std::uint64_t before = page.bytes - bytes.left();
  const auto levels = bytes.take(length);
  if (!levels) {
    throw ParquetError(
        page.number, "definition levels, length",
        "is " + std::to_string(length) + ", the page has " + std::to_string(bytes.left()) + " bytes left");
  }
  append_stream(column,
                {.offset = page.offset + before,
                 .output = column.rows,
                 .first_value = 0,
                 .dictionary_offset = 0,
                 .dictionary_values = 0,
                 .bytes = static_cast<std::uint32_t>(length),
                 .values = page.rows,
                 .block_values = 0,
                 .miniblocks = 0,
                 .first_piece = 0,
                 .pieces = static_cast<std::uint32_t>(part_size(page.rows, parquet_tile_values)),
                 .width = 1,
                 .kind = ParquetStreamKind::levels},
                page.number);
  return count_of_levels(*levels, page.rows, page.number);
}

void read_width(ParquetStream& stream, ParquetBytes& bytes, std::uint64_t page) {
  constexpr std::uint32_t max_width = 32;
  const auto width = bytes.take(1);
  if (!width) throw ParquetError(page, "bit width", "the page ends before it");
  stream.width = width->front();
  if (stream.width > max_width) {
    throw ParquetError(page, "bit width", "is " + std::to_string(stream.width) + ", at most 32");
  }
}

// What comes before the first block or run.
void read_header_of_values(ParquetStream& stream, ParquetBytes& bytes, ParquetValues type,
                           const ParquetPage& page) {
  const std::uint32_t value_bytes = value_bytes_of(type);
  switch (page.encoding) {
    case ParquetEncoding::delta_binary_packed:
      if (type == ParquetValues::indices) break;
      stream.kind = ParquetStreamKind::delta;
      // A page without values may have no bytes at all.
      if (stream.values != 0 || bytes.left() != 0) read_delta_header(stream, bytes, value_bytes, page.number);
      return;
    case ParquetEncoding::plain_dictionary:
    case ParquetEncoding::rle_dictionary:
      stream.kind = ParquetStreamKind::indices;
      if (stream.values != 0) read_width(stream, bytes, page.number);
      return;
    case ParquetEncoding::plain:
      if (type == ParquetValues::indices) break;
      stream.kind = ParquetStreamKind::plain;
      if (std::uint64_t{stream.values} * value_bytes > bytes.left()) {
        throw ParquetError(page.number, "values",
                           "the page ends before " + std::to_string(stream.values) + " of them");
      }
      return;
    case ParquetEncoding::rle:
      break;
  }
  throw ParquetError(page.number, "encoding",
                     "is " + std::to_string(static_cast<std::int32_t>(page.encoding)) +
                         ", which is not decoded for a column of this type");
}

}  // namespace

ParquetError::ParquetError(std::optional<std::uint64_t> page, const std::string& field,
                           const std::string& problem)
    : std::runtime_error(message_of(page, field, problem)), page_(page), field_(field), problem_(problem) {}

void append_page(ParquetColumn& column, std::span<const std::uint8_t> file, const ParquetPage& page,
                 const ParquetDictionary& dictionary) {
  check_place(file, page.offset, page.bytes, page.number, "compressed_page_size");
  ParquetBytes bytes(file.subspan(static_cast<std::size_t>(page.offset), page.bytes));
  const std::uint32_t values = column.is_nullable ? append_levels(column, bytes, page) : page.rows;
  ParquetStream stream = {
      .offset = 0,
      .output = column.value_count,
      .first_value = 0,
      .dictionary_offset = column.values == ParquetValues::indices ? 0 : dictionary.offset,
      .dictionary_values = dictionary.values,
      .bytes = 0,
      .values = values,
      .block_values = 0,
      .miniblocks = 0,
      .first_piece = 0,
      .pieces = static_cast<std::uint32_t>(part_size(values, parquet_tile_values)),
      .width = 0,
      .kind = ParquetStreamKind::plain};
  read_header_of_values(stream, bytes, column.values, page);
  if (stream.kind == ParquetStreamKind::indices && column.values != ParquetValues::indices) {
    check_place(file, dictionary.offset, std::uint64_t{dictionary.values} * value_bytes_of(column.values),
                page.number, "dictionary");
  }
  stream.offset = page.offset + page.bytes - bytes.left();
  stream.bytes = static_cast<std::uint32_t>(bytes.left());
  append_stream(column, stream, page.number);
  column.rows += page.rows;
  column.value_count += values;
}

ParquetProblem problem_of(ParquetStatus status) {
  switch (status) {
    case ParquetStatus::decoded:
      break;
    case ParquetStatus::index_too_large:
      return {.field = "index", .problem = "is not less than the entries of the dictionary"};
    case ParquetStatus::min_delta_ends:
      return {.field = "min delta", .problem = "the page ends before its end"};
    case ParquetStatus::min_delta_too_large:
      return {.field = "min delta", .problem = "does not fit in the column's type"};
    case ParquetStatus::bit_widths_end:
      return {.field = "bit widths", .problem = "the page ends before the last of a block"};
    case ParquetStatus::bit_width_too_large:
      return {.field = "bit widths", .problem = "one is more than the bits of the column's type"};
    case ParquetStatus::miniblock_ends:
      return {.field = "miniblock", .problem = "the page ends before its end"};
    case ParquetStatus::run_header_ends:
      return {.field = "run header", .problem = "the page ends before its end"};
    case ParquetStatus::run_header_too_large:
      return {.field = "run header", .problem = "is more than 32 bits"};
    case ParquetStatus::run_empty:
      return {.field = "run header", .problem = "says that the run is empty"};
    case ParquetStatus::run_too_long:
      return {.field = "run header", .problem = "says that the run is longer than the page"};
    case ParquetStatus::run_value_too_large:
      return {.field = "run value", .problem = "has more bits than the bit width"};
    case ParquetStatus::run_ends:
      return {.field = "run", .problem = "the page ends before its end"};
  }
  return {.field = "status", .problem = "is unknown"};
}

ParquetError parquet_error(const ParquetColumn& column, std::uint64_t stream, ParquetStatus status) {
  const ParquetProblem problem = problem_of(status);
  const bool is_levels = column.streams[stream].kind == ParquetStreamKind::levels;
  return ParquetError(column.pages[stream],
                      (is_levels ? std::string(levels_prefix) : std::string()) + std::string(problem.field),
                      std::string(problem.problem));
}

}  // namespace gsst::format::tile_integer
