#include "reference_cpu/tile_integer/parquet_values.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "common/format/tile_integer/parquet_bytes.hpp"
#include "reference_cpu/tile_integer/packed_block.hpp"

namespace gsst::reference::tile_integer {
namespace {

using format::tile_integer::packed_value;
using format::tile_integer::ParquetBytes;
using format::tile_integer::ParquetColumn;
using format::tile_integer::ParquetNumber;
using format::tile_integer::ParquetRun;
using format::tile_integer::ParquetStatus;
using format::tile_integer::ParquetStream;
using format::tile_integer::ParquetStreamKind;

// Numbers of a stream, or why there are none.
struct Numbers {
  ParquetStatus status = ParquetStatus::decoded;
  std::vector<std::uint64_t> values = {};
};

// One block, of which `expected` differences are values.
ParquetStatus append_block(Numbers& numbers, ParquetBytes& bytes, const ParquetStream& stream,
                           std::uint32_t value_bytes, std::uint32_t expected) {
  const ParquetNumber number = bytes.number(value_bytes == 8 ? std::numeric_limits<std::uint64_t>::max()
                                                             : std::numeric_limits<std::uint32_t>::max());
  if (number.state == ParquetNumber::State::ends) return ParquetStatus::min_delta_ends;
  if (number.state == ParquetNumber::State::too_large) return ParquetStatus::min_delta_too_large;
  const std::uint64_t smallest = format::tile_integer::from_zigzag(number.value);
  const auto widths = bytes.take(stream.miniblocks);
  if (!widths) return ParquetStatus::bit_widths_end;
  const std::uint32_t miniblock_values = stream.block_values / stream.miniblocks;
  for (std::uint32_t miniblock = 0; miniblock * miniblock_values < expected; ++miniblock) {
    const std::uint32_t width = (*widths)[miniblock];
    if (width > 8 * value_bytes) return ParquetStatus::bit_width_too_large;
    const auto packed = bytes.take(std::uint64_t{miniblock_values} / 8 * width);
    if (!packed) return ParquetStatus::miniblock_ends;
    const std::uint32_t left = expected - miniblock * miniblock_values;
    for (std::uint32_t i = 0; i < std::min(miniblock_values, left); ++i) {
      numbers.values.push_back(numbers.values.back() + smallest + packed_value(*packed, i, width));
    }
  }
  return ParquetStatus::decoded;
}

Numbers decode_delta(ParquetBytes bytes, const ParquetStream& stream, std::uint32_t value_bytes) {
  Numbers numbers;
  if (stream.values == 0) return numbers;
  numbers.values.push_back(stream.first_value);
  while (numbers.values.size() < stream.values && numbers.status == ParquetStatus::decoded) {
    const auto left = static_cast<std::uint32_t>(stream.values - numbers.values.size());
    numbers.status = append_block(numbers, bytes, stream, value_bytes, std::min(left, stream.block_values));
  }
  return numbers;
}

Numbers decode_hybrid(ParquetBytes bytes, const ParquetStream& stream) {
  Numbers numbers;
  while (numbers.values.size() < stream.values) {
    const auto left = static_cast<std::uint32_t>(stream.values - numbers.values.size());
    const ParquetRun run = format::tile_integer::read_run(bytes, stream.width, left);
    numbers.status = run.status;
    if (run.status != ParquetStatus::decoded) break;
    for (std::uint32_t i = 0; i < run.values; ++i) {
      numbers.values.push_back(run.is_packed ? packed_value(run.packed, i, stream.width) : run.value);
    }
  }
  return numbers;
}

// Indices become the entries of the dictionary. Of other types they stay.
void look_up(Numbers& numbers, std::span<const std::uint8_t> file, const ParquetStream& stream,
             bool has_entries, std::uint32_t value_bytes) {
  for (std::uint64_t& number : numbers.values) {
    if (number >= stream.dictionary_values) {
      numbers.status = ParquetStatus::index_too_large;
      return;
    }
    if (has_entries) {
      number = load_number(file.data() + stream.dictionary_offset + number * value_bytes, value_bytes);
    }
  }
}

Numbers decode_stream(std::span<const std::uint8_t> file, const ParquetColumn& column,
                      const ParquetStream& stream) {
  const std::uint32_t value_bytes = value_bytes_of(column.values);
  const auto bytes = file.subspan(static_cast<std::size_t>(stream.offset), stream.bytes);
  Numbers numbers;
  switch (stream.kind) {
    case ParquetStreamKind::delta:
      return decode_delta(ParquetBytes(bytes), stream, value_bytes);
    case ParquetStreamKind::levels:
      return decode_hybrid(ParquetBytes(bytes), stream);
    case ParquetStreamKind::indices:
      numbers = decode_hybrid(ParquetBytes(bytes), stream);
      if (numbers.status == ParquetStatus::decoded) {
        look_up(numbers, file, stream, column.values != format::tile_integer::ParquetValues::indices,
                value_bytes);
      }
      return numbers;
    case ParquetStreamKind::plain:
      for (std::size_t i = 0; i < stream.values; ++i) {
        numbers.values.push_back(load_number(bytes.data() + i * value_bytes, value_bytes));
      }
  }
  return numbers;
}

}  // namespace

ParquetOutput decode_parquet(std::span<const std::uint8_t> file, const ParquetColumn& column) {
  ParquetOutput output;
  const std::uint32_t value_bytes = value_bytes_of(column.values);
  for (std::size_t i = 0; i < column.streams.size(); ++i) {
    const ParquetStream& stream = column.streams[i];
    const Numbers numbers = decode_stream(file, column, stream);
    if (numbers.status != ParquetStatus::decoded) throw parquet_error(column, i, numbers.status);
    const bool is_levels = stream.kind == ParquetStreamKind::levels;
    for (const std::uint64_t number : numbers.values) {
      append_number(is_levels ? output.levels : output.values, number, is_levels ? 1 : value_bytes);
    }
  }
  return output;
}

}  // namespace gsst::reference::tile_integer
