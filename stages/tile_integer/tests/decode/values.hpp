#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/tile_integer/tile_integer.hpp"

/// For tests: arrays of values, as numbers of 64 bits and as the bytes of a type.
namespace gsst::tile_integer {

using ValueBytes = std::vector<std::uint8_t>;
/// Values as 64 bits, whatever their type.
using Values = std::vector<std::uint64_t>;

inline constexpr std::array<format::tile_integer::Type, format::tile_integer::type_count> all_types = {
    format::tile_integer::Type::i8,  format::tile_integer::Type::i16, format::tile_integer::Type::i32,
    format::tile_integer::Type::u32, format::tile_integer::Type::i64, format::tile_integer::Type::u64};

/// The lowest bytes of each value, as many as the type has.
inline ValueBytes bytes_of(const Values& values, format::tile_integer::Type type) {
  const std::size_t value_bytes = format::tile_integer::shape_of(type).value_bytes;
  ValueBytes bytes(values.size() * value_bytes);
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t byte = 0; byte < value_bytes; ++byte) {
      bytes[i * value_bytes + byte] = static_cast<std::uint8_t>(values[i] >> 8 * byte);
    }
  }
  return bytes;
}

/// A payload of `bytes` bytes that starts with these words; the rest is 0.
inline ValueBytes payload_of_words(const std::vector<std::uint32_t>& words, std::size_t bytes) {
  ValueBytes payload(bytes, 0);
  for (std::size_t i = 0; i < words.size(); ++i) {
    format::store_little_endian<4>(payload.data() + 4 * i, words[i]);
  }
  return payload;
}

inline std::uint64_t lowest_bits(std::uint64_t value, unsigned bits) {
  return bits == 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

/// The smallest value in the type's order.
inline std::uint64_t smallest_value(format::tile_integer::Type type) {
  const format::tile_integer::TypeShape& shape = format::tile_integer::shape_of(type);
  return shape.is_signed ? std::uint64_t{1} << (shape.max_width() - 1) : 0;
}

}  // namespace gsst::tile_integer
