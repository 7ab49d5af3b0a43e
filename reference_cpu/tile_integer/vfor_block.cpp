#include "reference_cpu/tile_integer/vfor_block.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "common/format/tile_integer/layouts.hpp"
#include "reference_cpu/tile_integer/packed_block.hpp"
#include "reference_cpu/tile_integer/packed_payload.hpp"

namespace gsst::reference::tile_integer {
namespace {

using namespace format::tile_integer;  // NOLINT(google-build-using-namespace): the format that is coded here

void append_vertical_block(std::vector<std::uint8_t>& payload, std::span<const std::uint64_t> values,
                           const TypeShape& type) {
  const std::uint64_t reference = smallest_number(values, type.is_signed);
  std::uint64_t largest = 0;
  for (const std::uint64_t value : values) largest = std::max(largest, value - reference);
  const auto width = static_cast<std::uint32_t>(std::bit_width(largest));
  append_number(payload, reference, std::size_t{type.reference_words} * word_bytes);
  // Word j of all lanes before word j + 1 of any.
  std::vector<std::uint32_t> words(std::size_t{width} * vertical_lanes);
  for (std::uint32_t lane = 0; lane < vertical_lanes; ++lane) {
    std::array<std::uint64_t, vertical_lane_values> differences{};
    for (std::uint32_t item = 0; item < vertical_lane_values; ++item) {
      const std::size_t place = vertical_place(lane, item);
      if (place < values.size()) differences[item] = values[place] - reference;
    }
    const std::vector<std::uint32_t> of_lane = words_of_miniblock(differences, width);
    for (std::size_t word = 0; word < width; ++word) words[word * vertical_lanes + lane] = of_lane[word];
  }
  for (const std::uint32_t word : words) append_number(payload, word, word_bytes);
}

// `width`: of the values, which the starts say.
void decode_vertical_block(const std::uint8_t* bytes, const TypeShape& type, std::uint32_t width,
                           std::span<std::uint64_t> values) {
  const std::size_t reference_bytes = std::size_t{type.reference_words} * word_bytes;
  const std::uint64_t reference = load_number(bytes, reference_bytes);
  for (std::size_t place = 0; place < values.size(); ++place) {
    const std::uint8_t* const of_lane = bytes + reference_bytes + place % vertical_lanes * word_bytes;
    values[place] = reference + number_in_words(of_lane, vertical_lanes, place / vertical_lanes, width);
  }
}

}  // namespace

std::vector<std::uint8_t> encode_vfor(std::span<const std::uint8_t> block, Type type) {
  return encode_units(
      block, type, vertical_block_values,
      [&](std::vector<std::uint8_t>& payload, std::size_t /*number*/, std::span<const std::uint64_t> values) {
        append_vertical_block(payload, values, shape_of(type));
      });
}

std::vector<std::uint8_t> decode_vfor(std::span<const std::uint8_t> payload,
                                      std::uint32_t uncompressed_bytes) {
  const TypeShape& type = shape_of(static_cast<Type>(payload[type_offset]));
  return decode_units(payload, uncompressed_bytes, vertical_block_values,
                      [&](const std::uint8_t* bytes, std::size_t number, std::span<std::uint64_t> values) {
                        const auto start = [&](std::size_t of) {
                          return load_number(payload.data() + header_bytes + of * word_bytes, word_bytes);
                        };
                        const std::uint64_t words = start(number + 1) - start(number) - type.reference_words;
                        decode_vertical_block(bytes, type, static_cast<std::uint32_t>(words / vertical_lanes),
                                              values);
                      });
}

}  // namespace gsst::reference::tile_integer
