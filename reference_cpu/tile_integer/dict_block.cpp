#include "reference_cpu/tile_integer/dict_block.hpp"

#include <algorithm>
#include <cstddef>

#include "common/format/bytes.hpp"
#include "common/format/payload_rules.hpp"
#include "common/format/tile_integer/value_dictionary.hpp"
#include "reference_cpu/tile_integer/packed_block.hpp"

namespace gsst::reference::tile_integer {

std::vector<std::uint8_t> dict_payload(std::span<const std::uint8_t> block, std::uint32_t value_bytes,
                                       std::uint32_t code_bytes) {
  using namespace format::tile_integer;  // NOLINT(google-build-using-namespace): the format that is coded
                                         // here
  std::vector<std::uint64_t> values(block.size() / value_bytes);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = load_number(block.data() + i * value_bytes, value_bytes);
  }
  std::vector<std::uint64_t> entries = values;
  std::ranges::sort(entries);
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  if (code_bytes == 0) code_bytes = entries.size() <= 1U << 8 ? 1 : (entries.size() <= 1U << 16 ? 2 : 4);
  std::vector<std::uint8_t> payload(dict_header_bytes, 0);
  payload[dict_value_bytes_offset] = static_cast<std::uint8_t>(value_bytes);
  payload[dict_code_bytes_offset] = static_cast<std::uint8_t>(code_bytes);
  format::store_little_endian<4>(payload.data() + dict_value_count_offset, values.size());
  format::store_little_endian<4>(payload.data() + dict_entry_count_offset, entries.size());
  for (const std::uint64_t entry : entries) append_number(payload, entry, value_bytes);
  for (const std::uint64_t value : values) {
    const auto place = std::ranges::lower_bound(entries, value) - entries.begin();
    append_number(payload, static_cast<std::uint64_t>(place), code_bytes);
  }
  const auto rest = block.last(block.size() % value_bytes);
  payload.insert(payload.end(), rest.begin(), rest.end());
  payload.resize(format::padded_payload_bytes(payload.size(), payload_alignment), 0);
  return payload;
}

std::vector<std::uint8_t> encode_dict(std::span<const std::uint8_t> block, format::tile_integer::Type type) {
  return dict_payload(block, format::tile_integer::shape_of(type).value_bytes, 0);
}

std::vector<std::uint8_t> decode_dict(std::span<const std::uint8_t> payload,
                                      std::uint32_t uncompressed_bytes) {
  using namespace format::tile_integer;  // NOLINT(google-build-using-namespace): as above
  const std::uint32_t value_bytes = payload[dict_value_bytes_offset];
  const DictShape shape = {
      .value_bytes = value_bytes,
      .code_bytes = payload[dict_code_bytes_offset],
      .values = uncompressed_bytes / value_bytes,
      .entries =
          static_cast<std::uint32_t>(format::load_little_endian<4>(payload.data() + dict_entry_count_offset)),
      .rest_bytes = uncompressed_bytes % value_bytes,
  };
  std::vector<std::uint8_t> output;
  output.reserve(uncompressed_bytes);
  for (std::size_t i = 0; i < shape.values; ++i) {
    const std::uint64_t code =
        load_number(payload.data() + shape.codes_offset() + i * shape.code_bytes, shape.code_bytes);
    append_number(output, load_number(payload.data() + dict_header_bytes + code * value_bytes, value_bytes),
                  value_bytes);
  }
  const auto rest = payload.subspan(shape.rest_offset(), shape.rest_bytes);
  output.insert(output.end(), rest.begin(), rest.end());
  return output;
}

}  // namespace gsst::reference::tile_integer
