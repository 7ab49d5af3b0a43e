#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/format/gsst/string_column.hpp"
#include "library/arrow_strings.hpp"

/// Columns of the dense layout, with and without a separator after each string (FORMAT.md, sections 10 and
/// 10.3).
namespace gsst::library {

inline constexpr std::uint8_t separated_column_version = 3;
/// The only value of the flags of such a column.
inline constexpr std::uint8_t separator_flag = 1;

/// A column that has been checked but for its frame.
struct DenseColumnView {
  /// Lengths, first bytes and string_bytes count no separator.
  format::StringColumnView strings;
  std::optional<std::uint8_t> separator;

  /// Bytes between two strings in the output of the frame.
  std::uint64_t separator_bytes() const { return separator ? 1 : 0; }
  /// What the frame must decompress to.
  std::uint64_t text_bytes() const { return strings.string_bytes + separator_bytes() * strings.string_count; }
};

/// Whether `bytes` starts as a column of strings whose version is the one of columns with a separator.
bool is_separated_column(std::span<const std::uint8_t> bytes);

/// Parses all of `column`, of the dense layout, but its frame. For one with a separator it takes memory for
/// what is behind the frame. Throws WrongFormat if it is no column, format::FormatError, whose block is
/// empty, and ApiError for flags that are not known.
DenseColumnView parse_dense_column(std::span<const std::uint8_t> column);

/// Checks that the frame of `column` decompresses to its strings and separators. Throws format::FormatError.
void check_dense_frame(const DenseColumnView& column, std::uint64_t uncompressed_bytes);

/// The first bytes of a column.
std::array<std::uint8_t, format::column_header_bytes> build_dense_header(
    const format::ColumnType& type, std::optional<std::uint8_t> separator);

/// Makes `end`, which format::StringColumnWriter gave for a column without a separator, that of a column with
/// `header`.
void repeat_header(std::span<std::uint8_t> end,
                   const std::array<std::uint8_t, format::column_header_bytes>& header);

/// The bytes of all strings, `string_bytes` of them, with `separator` after each string and null. Throws
/// std::invalid_argument as ArrowStrings::string().
std::vector<std::uint8_t> gather_separated(const ArrowStrings& strings, std::uint64_t string_bytes,
                                           std::uint8_t separator);

/// Throws std::invalid_argument, which names the first string that holds `separator`, if there is one.
void check_holds_no_separator(const ArrowStrings& strings, std::uint8_t separator);

/// Takes separators away from consecutive strings of a column.
class SeparatorRemover {
public:
  /// `text`: strings with a separator after each, from string `first_string` of the column on. What is left
  /// of them goes to its start.
  SeparatorRemover(std::span<std::uint8_t> text, std::uint8_t separator, std::uint64_t first_string)
      : next_(text.data()), end_(text.data()), separator_(separator), string_(first_string) {}

  /// The string that follows has `bytes` bytes, which are in the text with their separator. Throws
  /// format::FormatError unless its separator is after it, and not in it.
  void take(std::uint64_t bytes);

private:
  const std::uint8_t* next_;
  std::uint8_t* end_;
  std::uint8_t separator_;
  std::uint64_t string_;
};

}  // namespace gsst::library
