#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "common/format/block_format.hpp"
#include "common/format/host_device.hpp"
#include "common/format/part_size.hpp"

/// Integers by tile (FORMAT.md, section 12): what its formats share. "Paper" is Shanbhag, Yogatama, Yu and
/// Madden's on tile-based lightweight integer compression. The paper's block of 128 values is a packed block
/// here; a block is the frame's.
namespace gsst::format::tile_integer {

/// GPU-FOR (paper, section 4.1): differences from a reference.
inline constexpr BlockFormat for_format{32};
/// GPU-DFOR (paper, section 5): differences of neighbours, packed as format `for` packs values.
inline constexpr BlockFormat dfor_format{33};
/// GPU-RFOR (paper, section 6): runs of equal values, whose values and lengths are packed as those of `for`.
inline constexpr BlockFormat rfor_format{34};
/// Differences from a reference as in `for`, of one width for 1024 values, in the words of 32 lanes by turns.
inline constexpr BlockFormat ifor_format{35};

/// The only layout besides raw: packed blocks or run blocks.
inline constexpr BlockLayout packed_layout{1};

/// Payloads start at multiples of this many bytes.
inline constexpr std::uint32_t payload_alignment = 16;

inline constexpr std::uint32_t word_bytes = 4;
inline constexpr std::uint32_t miniblock_values = 32;
inline constexpr std::uint32_t miniblocks_of_packed_block = 4;
inline constexpr std::uint32_t packed_block_values = miniblock_values * miniblocks_of_packed_block;

/// Format `dfor`: packed blocks that are decoded together, the paper's D, and their values. A chain's base
/// precedes the reference of its first packed block.
inline constexpr std::uint32_t packed_blocks_of_chain = 4;
inline constexpr std::uint32_t chain_values = packed_blocks_of_chain * packed_block_values;

/// Format `rfor`: the values of a run block; the reference and the largest width of its lengths, which are 1
/// to 512.
inline constexpr std::uint32_t run_block_values = 512;
inline constexpr std::uint32_t length_reference_words = 1;
inline constexpr std::uint32_t max_length_width = 9;
/// Format `ifor`: the lanes of an interleaved block, whose words take turns; what each of them has, and how
/// many of its values are neighbours.
inline constexpr std::uint32_t interleaved_lanes = 32;
inline constexpr std::uint32_t interleaved_lane_values = 32;
inline constexpr std::uint32_t interleaved_neighbours = 4;
inline constexpr std::uint32_t interleaved_block_values = interleaved_lanes * interleaved_lane_values;
/// Miniblocks of a stream, values or lengths, of as many runs as a run block can have.
inline constexpr std::uint32_t max_miniblocks_of_stream = run_block_values / miniblock_values;

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
  /// Of a packed block, without its miniblocks and a base.
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

/// Words that hold the widths of a stream's miniblocks, a byte each.
GSST_HOST_DEVICE constexpr std::uint32_t words_of_widths(std::uint32_t miniblocks) {
  return (miniblocks + word_bytes - 1) / word_bytes;
}

/// Where value `item` of a lane is in its interleaved block.
GSST_HOST_DEVICE constexpr std::uint32_t interleaved_place(std::uint32_t lane, std::uint32_t item) {
  return (item / interleaved_neighbours * interleaved_lanes + lane) * interleaved_neighbours +
         item % interleaved_neighbours;
}

/// Words of the largest run block of values of a type: 512 runs, packed without a bit saved.
constexpr std::uint32_t max_run_block_words(const TypeShape& type) {
  return 1 + type.reference_words + length_reference_words + 2 * words_of_widths(max_miniblocks_of_stream) +
         max_miniblocks_of_stream * (type.max_width() + max_length_width);
}

/// The trait of blocks that hold values of a type (CheckedPayload::traits).
constexpr std::uint32_t trait_of(Type type) {
  return std::uint32_t{1} << static_cast<unsigned>(type);
}
inline constexpr std::uint32_t all_traits = (std::uint32_t{1} << type_count) - 1;

/// Format `rfor`: blocks have another trait for the size of their largest run block, in steps of so many
/// words. A decoder that knows it takes no more shared memory than the frame needs.
inline constexpr std::uint32_t words_of_size_trait = 48;
constexpr std::uint32_t trait_of_largest_run_block(std::uint32_t words) {
  return std::uint32_t{1} << (type_count + (words + words_of_size_trait - 1) / words_of_size_trait);
}
inline constexpr std::uint32_t all_traits_of_runs = ~std::uint32_t{0};
static_assert(trait_of_largest_run_block(max_run_block_words(shape_of(Type::i64))) != 0);
/// No run block of blocks with `traits` has more words.
constexpr std::uint32_t most_run_block_words(std::uint32_t traits) {
  const auto bits = static_cast<std::uint32_t>(std::bit_width(traits));
  return bits <= type_count + 1 ? 0
                                : (bits - 1 - static_cast<std::uint32_t>(type_count)) * words_of_size_trait;
}

/// Offsets of the fields of a payload's header.
inline constexpr std::size_t type_offset = 0;
inline constexpr std::size_t first_reserved_offset = 1;
inline constexpr std::size_t largest_offset = 4;
inline constexpr std::size_t value_count_offset = 8;
inline constexpr std::size_t second_reserved_offset = 12;
inline constexpr std::size_t header_bytes = 16;

/// How the bytes of a block are values of a type, in packed blocks or run blocks.
struct BlockShape {
  std::uint32_t values;
  /// Bytes at the block's end that are no whole value.
  std::uint32_t rest_bytes;
  /// Packed blocks, in format `rfor` run blocks, in `ifor` interleaved blocks.
  std::uint32_t units;

  /// Words from the payload's first byte to the first unit.
  constexpr std::uint32_t first_start() const {
    return static_cast<std::uint32_t>(header_bytes / word_bytes) + units + 1;
  }
};

/// `unit_values`: the values of a packed block, a run block or an interleaved block.
inline BlockShape block_shape(Type type, std::uint32_t uncompressed_bytes,
                              std::uint32_t unit_values = packed_block_values) {
  const std::uint32_t value_bytes = shape_of(type).value_bytes;
  const std::uint32_t values = uncompressed_bytes / value_bytes;
  return {.values = values,
          .rest_bytes = uncompressed_bytes % value_bytes,
          .units = static_cast<std::uint32_t>(part_size(values, unit_values))};
}

}  // namespace gsst::format::tile_integer
