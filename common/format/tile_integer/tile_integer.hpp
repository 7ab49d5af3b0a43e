#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "common/format/block_format.hpp"
#include "common/format/part_size.hpp"

/// Integers by tile (FORMAT.md, section 12): what its formats share. "Paper" is Shanbhag, Yogatama, Yu and
/// Madden's on tile-based lightweight integer compression. The paper's block of 128 values is a packed block
/// here; a block is the frame's.
namespace gsst::format::tile_integer {

/// GPU-FOR (paper, section 4.1): differences from a reference.
inline constexpr BlockFormat for_format{32};

/// The only layout besides raw: packed blocks.
inline constexpr BlockLayout packed_layout{1};

/// Payloads start at multiples of this many bytes.
inline constexpr std::uint32_t payload_alignment = 16;

inline constexpr std::uint32_t word_bytes = 4;
inline constexpr std::uint32_t miniblock_values = 32;
inline constexpr std::uint32_t miniblocks_of_packed_block = 4;
inline constexpr std::uint32_t packed_block_values = miniblock_values * miniblocks_of_packed_block;

/// What the values of a block are. The numbers are stored in payloads.
enum class Type : std::uint8_t { i8 = 0, i16 = 1, i32 = 2, u32 = 3, i64 = 4, u64 = 5 };

inline constexpr std::size_t type_count = 6;

/// What follows from a type.
struct TypeShape {
  std::string_view name;
  std::uint32_t value_bytes;
  std::uint32_t reference_words;
  bool is_signed;

  constexpr std::uint32_t max_width() const { return 8 * value_bytes; }
  /// Of a packed block, without its miniblocks.
  constexpr std::uint32_t words_besides_miniblocks() const { return reference_words + 1; }
};

/// By the number of the type.
inline constexpr std::array<TypeShape, type_count> type_shapes = {{
    {.name = "i8", .value_bytes = 1, .reference_words = 1, .is_signed = true},
    {.name = "i16", .value_bytes = 2, .reference_words = 1, .is_signed = true},
    {.name = "i32", .value_bytes = 4, .reference_words = 1, .is_signed = true},
    {.name = "u32", .value_bytes = 4, .reference_words = 1, .is_signed = false},
    {.name = "i64", .value_bytes = 8, .reference_words = 2, .is_signed = true},
    {.name = "u64", .value_bytes = 8, .reference_words = 2, .is_signed = false},
}};

constexpr const TypeShape& shape_of(Type type) {
  return type_shapes[static_cast<std::size_t>(type)];
}

/// The trait of blocks that hold values of a type (CheckedPayload::traits).
constexpr std::uint32_t trait_of(Type type) {
  return std::uint32_t{1} << static_cast<unsigned>(type);
}
inline constexpr std::uint32_t all_traits = (std::uint32_t{1} << type_count) - 1;

/// Offsets of the fields of a payload's header.
inline constexpr std::size_t type_offset = 0;
inline constexpr std::size_t first_reserved_offset = 1;
inline constexpr std::size_t largest_offset = 4;
inline constexpr std::size_t value_count_offset = 8;
inline constexpr std::size_t second_reserved_offset = 12;
inline constexpr std::size_t header_bytes = 16;

/// How the bytes of a block are values of a type.
struct BlockShape {
  std::uint32_t values;
  /// Bytes at the block's end that are no whole value.
  std::uint32_t rest_bytes;
  std::uint32_t packed_blocks;

  /// From the payload's first byte to the first packed block.
  constexpr std::uint32_t first_start() const {
    return static_cast<std::uint32_t>(header_bytes / word_bytes) + packed_blocks + 1;
  }
};

inline BlockShape block_shape(Type type, std::uint32_t uncompressed_bytes) {
  const std::uint32_t value_bytes = shape_of(type).value_bytes;
  const std::uint32_t values = uncompressed_bytes / value_bytes;
  return {.values = values,
          .rest_bytes = uncompressed_bytes % value_bytes,
          .packed_blocks = static_cast<std::uint32_t>(part_size(values, packed_block_values))};
}

}  // namespace gsst::format::tile_integer
