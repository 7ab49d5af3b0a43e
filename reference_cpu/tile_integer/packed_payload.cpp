#include "reference_cpu/tile_integer/packed_payload.hpp"

#include <algorithm>

#include "common/format/bytes.hpp"
#include "common/format/payload_rules.hpp"
#include "reference_cpu/tile_integer/packed_block.hpp"

namespace gsst::reference::tile_integer {
namespace {

using namespace format::tile_integer;  // NOLINT(google-build-using-namespace): the format that is coded here
using ByteSpan = std::span<const std::uint8_t>;

void store_word(std::vector<std::uint8_t>& bytes, std::size_t offset, std::uint64_t value) {
  format::store_little_endian<word_bytes>(bytes.data() + offset, value);
}

// Numbers for the values of a unit, of which the last one may have fewer.
std::vector<std::uint64_t> numbers_for(const BlockShape& shape, std::size_t unit, std::uint32_t unit_values) {
  return std::vector<std::uint64_t>(std::min<std::size_t>(shape.values - unit * unit_values, unit_values));
}

}  // namespace

std::vector<std::uint8_t> encode_units(ByteSpan block, Type type, std::uint32_t unit_values,
                                       const AppendUnit& append) {
  const TypeShape& of_type = shape_of(type);
  const BlockShape shape = block_shape(type, static_cast<std::uint32_t>(block.size()), unit_values);
  std::vector<std::uint8_t> payload(std::size_t{shape.first_start()} * word_bytes, 0);
  payload[type_offset] = static_cast<std::uint8_t>(type);
  store_word(payload, value_count_offset, shape.values);
  std::size_t largest = 0;
  const std::uint8_t* next = block.data();
  for (std::size_t number = 0; number <= shape.units; ++number) {
    const std::size_t start = payload.size() / word_bytes;
    store_word(payload, header_bytes + number * word_bytes, start);
    if (number == shape.units) break;
    std::vector<std::uint64_t> values = numbers_for(shape, number, unit_values);
    for (std::uint64_t& value : values) {
      value = load_number(next, of_type.value_bytes);
      if (of_type.is_signed) value = sign_extended(value, of_type.max_width());
      next += of_type.value_bytes;
    }
    append(payload, number, values);
    largest = std::max(largest, payload.size() / word_bytes - start);
  }
  store_word(payload, largest_offset, largest);
  payload.insert(payload.end(), block.end() - shape.rest_bytes, block.end());
  payload.resize(format::padded_payload_bytes(payload.size(), payload_alignment), 0);
  return payload;
}

std::vector<std::uint8_t> decode_units(ByteSpan payload, std::uint32_t uncompressed_bytes,
                                       std::uint32_t unit_values, const DecodeUnit& decode) {
  const auto type = static_cast<Type>(payload[type_offset]);
  const BlockShape shape = block_shape(type, uncompressed_bytes, unit_values);
  std::vector<std::uint8_t> output;
  output.reserve(uncompressed_bytes);
  const auto start_of = [&](std::size_t number) {
    return format::load_little_endian<word_bytes>(payload.data() + header_bytes + number * word_bytes) *
           word_bytes;
  };
  for (std::size_t number = 0; number < shape.units; ++number) {
    std::vector<std::uint64_t> values = numbers_for(shape, number, unit_values);
    decode(payload.data() + start_of(number), number, values);
    for (const std::uint64_t value : values) append_number(output, value, shape_of(type).value_bytes);
  }
  const ByteSpan rest = payload.subspan(start_of(shape.units), shape.rest_bytes);
  output.insert(output.end(), rest.begin(), rest.end());
  return output;
}

}  // namespace gsst::reference::tile_integer
