#include "experiments/measure_parquet/paged_column.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "experiments/measure/shared/error.hpp"
#include "reference_cpu/tile_integer/parquet_values.hpp"
#include "stages/tile_integer/parquet/parquet_file.hpp"

namespace gsst::experiments {
namespace {

using format::tile_integer::ParquetColumn;
using format::tile_integer::ParquetStream;
using format::tile_integer::ParquetStreamKind;

// As data/parquet_pages.py names it.
constexpr const char* measured_column = "c";

std::string encoding_of(ParquetStreamKind kind) {
  if (kind == ParquetStreamKind::delta) return "delta";
  return kind == ParquetStreamKind::indices ? "dictionary" : "plain";
}

void check_column(const ParquetColumn& column) {
  const std::string place = std::string("column '") + measured_column + "' ";
  if (column.values == format::tile_integer::ParquetValues::indices) {
    throw InputError(place + "is not of integers");
  }
  if (column.is_nullable) throw InputError(place + "may have nulls, which frames have not");
  if (column.value_count == 0) throw InputError(place + "has no values");
  const ParquetStreamKind kind = column.streams.front().kind;
  if (!std::ranges::all_of(column.streams, [kind](const auto& stream) { return stream.kind == kind; })) {
    throw InputError(place + "has pages of several encodings");
  }
}

}  // namespace

PagedColumn read_paged_column(std::span<const std::uint8_t> file) {
  tile_integer::ParquetFileColumn found = tile_integer::read_parquet_column(file, measured_column);
  ParquetColumn& column = found.column;
  check_column(column);
  if (!found.decompressed.empty()) throw InputError("the pages are compressed");
  std::vector<std::uint8_t> values = reference::tile_integer::decode_parquet(file, column).values;
  return {.column = std::move(column), .values = std::move(values)};
}

nlohmann::ordered_json pages_in_rows(const ParquetColumn& column) {
  const auto largest = std::ranges::max_element(column.streams, {}, &ParquetStream::values);
  return {{"encoding", encoding_of(largest->kind)},
          {"pages", column.streams.size()},
          {"page_values", largest->values}};
}

}  // namespace gsst::experiments
