#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "common/format/tile_integer/tile_integer.hpp"

/// A column of integers: a frame with their values, and after it which of them are null and of what type of
/// Arrow they are (FORMAT.md, section 12.14).
namespace gsst::format::tile_integer {

inline constexpr std::size_t integer_column_header_bytes = 16;
inline constexpr std::size_t integer_column_trailer_bytes = 64;
/// Most bytes of the text that says the type.
inline constexpr std::size_t max_column_type_bytes = 255;
/// Most digits of a decimal that is stored: those that an integer of 64 bits has in any case.
inline constexpr std::uint32_t max_decimal_digits = 18;
/// Most values of a column.
inline constexpr std::uint64_t max_column_values = std::uint64_t{1} << 53;

/// The first and the last eight bytes of a column.
inline constexpr std::array<std::uint8_t, 8> integer_column_magic = {0x89, 'G',  'S',  'S',
                                                                     'I',  '\r', '\n', 0x1a};
inline constexpr std::array<std::uint8_t, 8> integer_column_trailer_magic = {0x89, 'I',  'S',  'S',
                                                                             'G',  '\r', '\n', 0x1a};

/// How the values of a type of Arrow are stored.
struct ColumnValues {
  /// Bytes of a value in an array of Arrow: 1, 2, 4, 8 or 16.
  std::uint32_t arrow_bytes;
  /// What the values in the frame are. They have `arrow_bytes` bytes too, but unsigned ones of 1 and 2 bytes,
  /// which get 0 bytes, and those of 16, which lose 8 bytes that repeat their sign.
  Type stored;

  bool operator==(const ColumnValues&) const = default;
};

/// How values of the type are stored that the Arrow C data interface writes as `arrow_format`; nothing for a
/// type that no column has.
std::optional<ColumnValues> column_values(std::string_view arrow_format);

/// A column in memory that has been checked but for its frame.
struct IntegerColumnView {
  /// As the Arrow C data interface writes the type.
  std::string_view arrow_format;
  ColumnValues values;
  /// Nulls included.
  std::uint64_t value_count;
  std::uint64_t null_count;
  std::span<const std::uint8_t> frame;
  /// A bit for each value, from the lowest bit of the first byte on: 1, or 0 for a null. Empty without nulls.
  std::span<const std::uint8_t> validity;

  /// What the frame must decompress to.
  std::uint64_t stored_bytes() const { return value_count * shape_of(values.stored).value_bytes; }
};

/// Whether `bytes` starts with the magic of a column of integers.
bool starts_with_integer_column_magic(std::span<const std::uint8_t> bytes);

/// Whether `bytes` ends with the magic of the trailer of a column of integers.
bool ends_with_integer_column_magic(std::span<const std::uint8_t> bytes);

/// Bytes of the last of several columns of integers, `bytes` being all of them or any number of bytes that
/// end with one. Reads its trailer and the magic of its header alone. Throws FormatError.
std::uint64_t last_integer_column_bytes(std::span<const std::uint8_t> bytes);

/// Parses a column, `bytes` being all of it and nothing more. Throws FormatError; its block is empty.
IntegerColumnView parse_integer_column(std::span<const std::uint8_t> bytes);

/// Checks that the frame of `column` is of `format` and decompresses to `uncompressed_bytes` bytes as it
/// must. Throws FormatError.
void check_integer_column_frame(const IntegerColumnView& column, BlockFormat format,
                                std::uint64_t uncompressed_bytes);

std::array<std::uint8_t, integer_column_header_bytes> build_integer_column_header();

/// What follows the frame of a column: everything of `column` but its frame, of which only the size counts.
std::vector<std::uint8_t> build_integer_column_end(const IntegerColumnView& column);

}  // namespace gsst::format::tile_integer
