#include "reference_cpu/tile_integer/for_block.hpp"

#include <algorithm>

#include "reference_cpu/tile_integer/packed_block.hpp"
#include "reference_cpu/tile_integer/packed_payload.hpp"

namespace gsst::reference::tile_integer {

using format::tile_integer::packed_block_values;
using format::tile_integer::shape_of;
using format::tile_integer::Type;
using format::tile_integer::TypeShape;

std::vector<std::uint8_t> encode_for(std::span<const std::uint8_t> block, Type type) {
  const TypeShape& of_type = shape_of(type);
  return encode_units(
      block, type, packed_block_values,
      [&](std::vector<std::uint8_t>& payload, std::size_t /*number*/, std::span<const std::uint64_t> values) {
        append_packed_block(payload, values, smallest_number(values, of_type.is_signed), of_type);
      });
}

std::vector<std::uint8_t> decode_for(std::span<const std::uint8_t> payload,
                                     std::uint32_t uncompressed_bytes) {
  const TypeShape& type = shape_of(static_cast<Type>(payload[format::tile_integer::type_offset]));
  return decode_units(
      payload, uncompressed_bytes, packed_block_values,
      [&](const std::uint8_t* bytes, std::size_t /*number*/, std::span<std::uint64_t> values) {
        const auto numbers = numbers_of_packed_block(bytes, type);
        std::ranges::copy(std::span(numbers).first(values.size()), values.begin());
      });
}

}  // namespace gsst::reference::tile_integer
