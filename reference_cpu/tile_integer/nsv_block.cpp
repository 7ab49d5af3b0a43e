#include "reference_cpu/tile_integer/nsv_block.hpp"

#include <bit>

#include "common/format/bytes.hpp"
#include "common/format/payload_rules.hpp"
#include "common/format/tile_integer/variable_bytes.hpp"
#include "reference_cpu/tile_integer/packed_block.hpp"

namespace gsst::reference::tile_integer {

std::vector<std::uint8_t> encode_nsv(std::span<const std::uint8_t> block, format::tile_integer::Type type) {
  using namespace format::tile_integer;  // NOLINT(google-build-using-namespace): the format that is coded
                                         // here
  const std::uint32_t value_bytes = shape_of(type).value_bytes;
  const auto values = static_cast<std::uint32_t>(block.size() / value_bytes);
  std::vector<std::uint8_t> payload(nsv_numbers_offset(values), 0);
  payload[nsv_value_bytes_offset] = static_cast<std::uint8_t>(value_bytes);
  format::store_little_endian<4>(payload.data() + nsv_value_count_offset, values);
  for (std::size_t i = 0; i < values; ++i) {
    const std::uint64_t value = load_number(block.data() + i * value_bytes, value_bytes);
    const std::uint32_t bits = 8 * nsv_step(value_bytes);
    const auto steps = static_cast<std::uint32_t>((std::bit_width(value) + bits - 1) / bits);
    const std::uint32_t code = steps == 0 ? 0 : steps - 1;
    std::uint8_t& codes = payload[nsv_header_bytes + i / nsv_codes_of_byte];
    codes = static_cast<std::uint8_t>(codes | code << i % nsv_codes_of_byte * bits_of_nsv_code);
    append_number(payload, value, std::size_t{code + 1} * nsv_step(value_bytes));
  }
  const auto rest = block.last(block.size() % value_bytes);
  payload.insert(payload.end(), rest.begin(), rest.end());
  payload.resize(format::padded_payload_bytes(payload.size(), payload_alignment), 0);
  return payload;
}

std::vector<std::uint8_t> decode_nsv(std::span<const std::uint8_t> payload,
                                     std::uint32_t uncompressed_bytes) {
  using namespace format::tile_integer;  // NOLINT(google-build-using-namespace): as above
  const std::uint32_t value_bytes = payload[nsv_value_bytes_offset];
  const std::uint32_t values = uncompressed_bytes / value_bytes;
  const std::uint8_t* number = payload.data() + nsv_numbers_offset(values);
  std::vector<std::uint8_t> output;
  output.reserve(uncompressed_bytes);
  for (std::size_t i = 0; i < values; ++i) {
    const std::uint32_t code =
        payload[nsv_header_bytes + i / nsv_codes_of_byte] >> i % nsv_codes_of_byte * bits_of_nsv_code &
        nsv_code_mask;
    const std::size_t bytes = std::size_t{code + 1} * nsv_step(value_bytes);
    append_number(output, load_number(number, bytes), value_bytes);
    number += bytes;
  }
  output.insert(output.end(), number, number + uncompressed_bytes % value_bytes);
  return output;
}

}  // namespace gsst::reference::tile_integer
