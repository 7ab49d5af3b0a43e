#include "reference_cpu/tile_integer/nsf_block.hpp"

#include <algorithm>
#include <bit>

#include "common/format/bytes.hpp"
#include "common/format/payload_rules.hpp"
#include "common/format/tile_integer/null_suppression.hpp"
#include "reference_cpu/tile_integer/packed_block.hpp"

namespace gsst::reference::tile_integer {

using format::tile_integer::nsf_shape;
using format::tile_integer::NsfShape;

std::vector<std::uint8_t> nsf_payload(std::span<const std::uint8_t> block, std::uint32_t value_bytes,
                                      std::uint32_t number_bytes) {
  using namespace format::tile_integer;  // NOLINT(google-build-using-namespace): the format that is coded
                                         // here
  const NsfShape shape = nsf_shape(value_bytes, number_bytes, static_cast<std::uint32_t>(block.size()));
  std::vector<std::uint8_t> payload(nsf_header_bytes, 0);
  payload[nsf_value_bytes_offset] = static_cast<std::uint8_t>(value_bytes);
  payload[nsf_number_bytes_offset] = static_cast<std::uint8_t>(number_bytes);
  format::store_little_endian<4>(payload.data() + nsf_value_count_offset, shape.values);
  for (std::size_t i = 0; i < shape.values; ++i) {
    append_number(payload, load_number(block.data() + i * value_bytes, value_bytes), number_bytes);
  }
  payload.insert(payload.end(), block.end() - shape.rest_bytes, block.end());
  payload.resize(format::padded_payload_bytes(payload.size(), payload_alignment), 0);
  return payload;
}

std::vector<std::uint8_t> encode_nsf(std::span<const std::uint8_t> block, format::tile_integer::Type type) {
  const std::uint32_t value_bytes = format::tile_integer::shape_of(type).value_bytes;
  std::uint64_t largest = 0;
  for (std::size_t i = 0; i < block.size() / value_bytes; ++i) {
    largest = std::max(largest, load_number(block.data() + i * value_bytes, value_bytes));
  }
  const auto bytes = static_cast<std::uint32_t>((std::bit_width(largest) + 7) / 8);
  return nsf_payload(block, value_bytes, std::bit_ceil(std::max(bytes, 1U)));
}

std::vector<std::uint8_t> decode_nsf(std::span<const std::uint8_t> payload,
                                     std::uint32_t uncompressed_bytes) {
  const NsfShape shape =
      nsf_shape(payload[format::tile_integer::nsf_value_bytes_offset],
                payload[format::tile_integer::nsf_number_bytes_offset], uncompressed_bytes);
  std::vector<std::uint8_t> output;
  output.reserve(uncompressed_bytes);
  const std::uint8_t* const numbers = payload.data() + format::tile_integer::nsf_header_bytes;
  for (std::size_t i = 0; i < shape.values; ++i) {
    append_number(output, load_number(numbers + i * shape.number_bytes, shape.number_bytes),
                  shape.value_bytes);
  }
  const auto rest = payload.subspan(shape.rest_offset(), shape.rest_bytes);
  output.insert(output.end(), rest.begin(), rest.end());
  return output;
}

}  // namespace gsst::reference::tile_integer
