#include "reference_cpu/tile_integer/ifor_block.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "reference_cpu/tile_integer/packed_block.hpp"
#include "reference_cpu/tile_integer/packed_payload.hpp"

namespace gsst::reference::tile_integer {
namespace {

using namespace format::tile_integer;  // NOLINT(google-build-using-namespace): the format that is coded here

void append_interleaved_block(std::vector<std::uint8_t>& payload, std::span<const std::uint64_t> values,
                              const TypeShape& type) {
  const std::uint64_t reference = smallest_number(values, type.is_signed);
  std::uint64_t largest = 0;
  std::array<std::array<std::uint64_t, interleaved_lane_values>, interleaved_lanes> differences{};
  for (std::uint32_t lane = 0; lane < interleaved_lanes; ++lane) {
    for (std::uint32_t item = 0; item < interleaved_lane_values; ++item) {
      const std::size_t place = interleaved_place(lane, item);
      if (place < values.size()) differences[lane][item] = values[place] - reference;
      largest = std::max(largest, differences[lane][item]);
    }
  }
  const auto width = static_cast<std::uint32_t>(std::bit_width(largest));
  append_number(payload, reference, std::size_t{type.reference_words} * word_bytes);
  std::array<std::vector<std::uint32_t>, interleaved_lanes> of_lanes;
  for (std::size_t lane = 0; lane < interleaved_lanes; ++lane) {
    of_lanes[lane] = words_of_miniblock(differences[lane], width);
  }
  for (std::uint32_t word = 0; word < width; ++word) {
    for (const std::vector<std::uint32_t>& of_lane : of_lanes) {
      append_number(payload, of_lane[word], word_bytes);
    }
  }
}

// `width`: of the values, which the starts say.
void decode_interleaved_block(const std::uint8_t* bytes, const TypeShape& type, std::uint32_t width,
                              std::span<std::uint64_t> values) {
  const std::uint64_t reference = load_number(bytes, std::size_t{type.reference_words} * word_bytes);
  const std::uint8_t* const words = bytes + std::size_t{type.reference_words} * word_bytes;
  for (std::uint32_t lane = 0; lane < interleaved_lanes; ++lane) {
    for (std::uint32_t item = 0; item < interleaved_lane_values; ++item) {
      const std::size_t place = interleaved_place(lane, item);
      if (place >= values.size()) continue;
      values[place] =
          reference + number_in_words(words + std::size_t{lane} * word_bytes, interleaved_lanes, item, width);
    }
  }
}

}  // namespace

std::vector<std::uint8_t> encode_ifor(std::span<const std::uint8_t> block, Type type) {
  return encode_units(
      block, type, interleaved_block_values,
      [&](std::vector<std::uint8_t>& payload, std::size_t /*number*/, std::span<const std::uint64_t> values) {
        append_interleaved_block(payload, values, shape_of(type));
      });
}

std::vector<std::uint8_t> decode_ifor(std::span<const std::uint8_t> payload,
                                      std::uint32_t uncompressed_bytes) {
  const TypeShape& type = shape_of(static_cast<Type>(payload[type_offset]));
  return decode_units(payload, uncompressed_bytes, interleaved_block_values,
                      [&](const std::uint8_t* bytes, std::size_t number, std::span<std::uint64_t> values) {
                        const auto start = [&](std::size_t of) {
                          return load_number(payload.data() + header_bytes + of * word_bytes, word_bytes);
                        };
                        const std::uint64_t words = start(number + 1) - start(number) - type.reference_words;
                        decode_interleaved_block(
                            bytes, type, static_cast<std::uint32_t>(words / interleaved_lanes), values);
                      });
}

}  // namespace gsst::reference::tile_integer
