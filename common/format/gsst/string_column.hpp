#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// A column of strings: a frame with their bytes, and behind it their lengths and which of them are null
/// (FORMAT.md, section 10).
namespace gsst::format {

inline constexpr std::size_t column_header_bytes = 16;
inline constexpr std::size_t column_trailer_bytes = 56;
/// Strings of every group but the last.
inline constexpr std::uint32_t strings_per_group = 1024;
/// Bytes of a group's entry.
inline constexpr std::size_t group_entry_bytes = 24;
/// Most bytes of the strings of a column: more than a frame holds.
inline constexpr std::uint64_t max_string_bytes = std::uint64_t{1} << 56;
/// Most bytes of the strings of a column whose offsets have 4 bytes: those of Arrow are signed.
inline constexpr std::uint64_t max_narrow_string_bytes = (std::uint64_t{1} << 31) - 1;

/// The first and the last eight bytes of a column.
inline constexpr std::array<std::uint8_t, 8> column_magic = {0x89, 'G', 'S', 'S', 'C', '\r', '\n', 0x1a};
inline constexpr std::array<std::uint8_t, 8> column_trailer_magic = {0x89, 'C',  'S',  'S',
                                                                     'G',  '\r', '\n', 0x1a};

/// What the strings are.
enum class StringKind : std::uint8_t {
  /// UTF-8; nothing here checks that.
  text = 1,
  bytes = 2,
};

/// The type of a column.
struct ColumnType {
  StringKind kind;
  /// Bytes of an offset where the column is in memory: 4 or 8.
  std::uint32_t offset_width;

  bool operator==(const ColumnType&) const = default;
};

/// Consecutive strings of a column that has been checked.
class StringGroup {
public:
  /// `lengths` and `validity` are those of `string_count` strings; `validity` is empty where none is null.
  StringGroup(std::uint64_t first_byte, std::uint32_t string_count, std::uint32_t shortest,
              std::uint32_t length_bits, std::span<const std::uint8_t> lengths,
              std::span<const std::uint8_t> validity)
      : first_byte_(first_byte),
        string_count_(string_count),
        shortest_(shortest),
        length_bits_(length_bits),
        lengths_(lengths),
        validity_(validity) {}

  /// Where the first string starts, in bytes from the start of the frame's output.
  std::uint64_t first_byte() const { return first_byte_; }
  std::uint32_t string_count() const { return string_count_; }
  /// Bytes of string `string`, less than string_count(). Below 2^32 in a column that has been checked.
  std::uint64_t length(std::uint32_t string) const;
  bool is_null(std::uint32_t string) const;
  bool has_nulls() const { return !validity_.empty(); }
  /// The bytes behind the entries that hold this group.
  std::size_t data_bytes() const { return lengths_.size() + validity_.size(); }

private:
  std::uint64_t first_byte_;
  std::uint32_t string_count_;
  std::uint32_t shortest_;
  std::uint32_t length_bits_;
  std::span<const std::uint8_t> lengths_;
  std::span<const std::uint8_t> validity_;
};

/// A column in memory that has been checked but for its frame, whose bytes `frame` are.
struct StringColumnView {
  ColumnType type;
  std::uint64_t string_count;
  std::uint64_t null_count;
  /// Bytes of all strings together: what the frame must decompress to.
  std::uint64_t string_bytes;
  std::span<const std::uint8_t> frame;
  /// The entries of all groups and the data behind them.
  std::span<const std::uint8_t> groups;

  std::uint64_t group_count() const { return (string_count + strings_per_group - 1) / strings_per_group; }
  /// Group `number`, less than group_count().
  StringGroup group(std::uint64_t number) const;
};

/// Whether `bytes` starts with the magic of a column.
bool starts_with_column_magic(std::span<const std::uint8_t> bytes);

/// Bytes of the last of several columns, `bytes` being all of them or any number of bytes that end with one
/// (FORMAT.md, section 10.1). Reads its trailer and the magic of its header alone. Throws FormatError.
std::uint64_t last_column_bytes(std::span<const std::uint8_t> bytes);

/// Parses a column, `bytes` being all of it and nothing more, and checks every length. Throws FormatError;
/// its block is empty.
StringColumnView parse_string_column(std::span<const std::uint8_t> bytes);

/// Checks that the frame of `column` decompresses to as many bytes as the strings have. Throws FormatError.
void check_column_frame(const StringColumnView& column, std::uint64_t uncompressed_bytes);

std::array<std::uint8_t, column_header_bytes> build_column_header(const ColumnType& type);

/// What stands behind the frame of a column, as strings are added to it.
class StringColumnWriter {
public:
  explicit StringColumnWriter(const ColumnType& type) : type_(type) {}

  /// Adds the string that follows. Throws std::length_error if it has 2^32 bytes or more, or if the strings
  /// have too many for the type's offsets.
  void add_string(std::uint64_t bytes);
  /// Adds a null.
  void add_null();

  /// Bytes of all strings added.
  std::uint64_t string_bytes() const { return string_bytes_; }

  /// The groups and the trailer, which end a column with a frame of `frame_bytes` bytes.
  std::vector<std::uint8_t> finish(std::uint64_t frame_bytes);

private:
  void add(std::uint32_t length, bool is_null);
  void end_group();

  ColumnType type_;
  std::uint64_t string_count_ = 0;
  std::uint64_t null_count_ = 0;
  std::uint64_t string_bytes_ = 0;
  // Of the group that is not full yet.
  std::uint64_t first_byte_ = 0;
  std::vector<std::uint32_t> lengths_;
  std::vector<bool> nulls_;
  // Of the groups before; data offsets count from the first group's data until all entries are known.
  std::vector<std::uint8_t> entries_;
  std::vector<std::uint8_t> data_;
};

}  // namespace gsst::format
