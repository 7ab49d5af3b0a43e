#include "reference_cpu/tile_integer/delta_nsf_block.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "common/format/bytes.hpp"
#include "common/format/payload_rules.hpp"
#include "common/format/tile_integer/delta_nsf.hpp"
#include "reference_cpu/tile_integer/packed_block.hpp"

namespace gsst::reference::tile_integer {
namespace {

// Of each value the number of its difference from the one before; the first one has none.
std::vector<std::uint64_t> numbers_of_differences(std::span<const std::uint8_t> block,
                                                  std::uint32_t value_bytes) {
  std::vector<std::uint64_t> numbers(block.size() / value_bytes, 0);
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    const std::uint8_t* const value = block.data() + i * value_bytes;
    const std::uint64_t difference =
        load_number(value, value_bytes) - load_number(value - value_bytes, value_bytes);
    numbers[i] = format::tile_integer::number_of_difference(sign_extended(difference, 8 * value_bytes));
  }
  return numbers;
}

}  // namespace

std::vector<std::uint8_t> delta_nsf_payload(std::span<const std::uint8_t> block, std::uint32_t value_bytes,
                                            std::uint32_t number_bytes) {
  using namespace format::tile_integer;  // NOLINT(google-build-using-namespace): the format that is coded
                                         // here
  std::vector<std::uint8_t> payload(delta_nsf_base_offset, 0);
  payload[delta_nsf_value_bytes_offset] = static_cast<std::uint8_t>(value_bytes);
  payload[delta_nsf_number_bytes_offset] = static_cast<std::uint8_t>(number_bytes);
  const std::size_t values = block.size() / value_bytes;
  format::store_little_endian<4>(payload.data() + delta_nsf_value_count_offset, values);
  append_number(payload, values == 0 ? 0 : load_number(block.data(), value_bytes),
                delta_nsf_header_bytes - delta_nsf_base_offset);
  for (const std::uint64_t number : numbers_of_differences(block, value_bytes)) {
    append_number(payload, number, number_bytes);
  }
  const auto rest = block.last(block.size() % value_bytes);
  payload.insert(payload.end(), rest.begin(), rest.end());
  payload.resize(format::padded_payload_bytes(payload.size(), payload_alignment), 0);
  return payload;
}

std::vector<std::uint8_t> encode_delta_nsf(std::span<const std::uint8_t> block,
                                           format::tile_integer::Type type) {
  const std::uint32_t value_bytes = format::tile_integer::shape_of(type).value_bytes;
  std::uint64_t largest = 0;
  for (const std::uint64_t number : numbers_of_differences(block, value_bytes)) {
    largest = std::max(largest, number);
  }
  const auto bytes = static_cast<std::uint32_t>((std::bit_width(largest) + 7) / 8);
  return delta_nsf_payload(block, value_bytes, std::bit_ceil(std::max(bytes, 1U)));
}

std::vector<std::uint8_t> decode_delta_nsf(std::span<const std::uint8_t> payload,
                                           std::uint32_t uncompressed_bytes) {
  using namespace format::tile_integer;  // NOLINT(google-build-using-namespace): as above
  const std::uint32_t value_bytes = payload[delta_nsf_value_bytes_offset];
  const std::uint32_t number_bytes = payload[delta_nsf_number_bytes_offset];
  std::uint64_t value = load_number(payload.data() + delta_nsf_base_offset, value_bytes);
  const std::uint8_t* number = payload.data() + delta_nsf_header_bytes;
  std::vector<std::uint8_t> output;
  output.reserve(uncompressed_bytes);
  for (std::uint32_t i = 0; i < uncompressed_bytes / value_bytes; ++i) {
    value += difference_of_number(load_number(number, number_bytes));
    append_number(output, value, value_bytes);
    number += number_bytes;
  }
  output.insert(output.end(), number, number + uncompressed_bytes % value_bytes);
  return output;
}

}  // namespace gsst::reference::tile_integer
