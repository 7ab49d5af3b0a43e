#include "reference_cpu/tile_integer/bp_block.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "common/format/bytes.hpp"
#include "common/format/tile_integer/bit_packing.hpp"
#include "reference_cpu/tile_integer/packed_payload.hpp"

namespace gsst::reference::tile_integer {
namespace {

using format::tile_integer::header_bytes;
using format::tile_integer::packed_block_values;
using format::tile_integer::Type;
using format::tile_integer::word_bytes;
using format::tile_integer::words_of_a_bit;

// The lowest `bits` bits, 1 to 64.
std::uint64_t lowest(std::uint64_t value, std::uint32_t bits) {
  return value & (~std::uint64_t{0} >> (64 - bits));
}

std::uint64_t word_of(std::span<const std::uint8_t> payload, std::size_t word) {
  return format::load_little_endian<word_bytes>(payload.data() + word * word_bytes);
}

}  // namespace

std::vector<std::uint8_t> bp_payload(std::span<const std::uint8_t> block, Type type,
                                     std::uint32_t more_bits) {
  const std::uint32_t value_bits = format::tile_integer::shape_of(type).max_width();
  return encode_units(
      block, type, packed_block_values,
      [&](std::vector<std::uint8_t>& payload, std::size_t /*number*/, std::span<const std::uint64_t> values) {
        std::uint64_t largest = 0;
        for (const std::uint64_t value : values) largest = std::max(largest, lowest(value, value_bits));
        const std::uint32_t width =
            std::min(static_cast<std::uint32_t>(std::bit_width(largest)) + more_bits, value_bits);
        std::vector<std::uint8_t> packed(std::size_t{width} * words_of_a_bit * word_bytes, 0);
        for (std::size_t i = 0; i < values.size(); ++i) {
          for (std::size_t bit = 0; bit < width; ++bit) {
            const std::size_t place = i * width + bit;
            packed[place / 8] |= static_cast<std::uint8_t>((values[i] >> bit & 1) << place % 8);
          }
        }
        payload.insert(payload.end(), packed.begin(), packed.end());
      });
}

std::vector<std::uint8_t> encode_bp(std::span<const std::uint8_t> block, Type type) {
  return bp_payload(block, type, 0);
}

std::vector<std::uint8_t> decode_bp(std::span<const std::uint8_t> payload, std::uint32_t uncompressed_bytes) {
  return decode_units(payload, uncompressed_bytes, packed_block_values,
                      [&](const std::uint8_t* bytes, std::size_t number, std::span<std::uint64_t> values) {
                        const std::size_t start = header_bytes / word_bytes + number;
                        const std::size_t width =
                            (word_of(payload, start + 1) - word_of(payload, start)) / words_of_a_bit;
                        for (std::size_t i = 0; i < values.size(); ++i) {
                          values[i] = 0;
                          for (std::size_t bit = 0; bit < width; ++bit) {
                            const std::size_t place = i * width + bit;
                            values[i] |= std::uint64_t{bytes[place / 8] >> place % 8 & 1U} << bit;
                          }
                        }
                      });
}

}  // namespace gsst::reference::tile_integer
