#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/format/gsst/string_column.hpp"
#include "library/string_starts.hpp"
#include "library/word.hpp"

/// Columns in the layout for lookups (FORMAT.md, section 10.2): where the codes of each string are.
namespace gsst::library {

inline constexpr std::uint8_t lookup_column_version = 2;
/// The only value of the column's layout.
inline constexpr std::uint8_t lookup_layout = 1;
inline constexpr std::size_t lookup_entry_bytes = 40;
/// Strings of every record but the column's last one.
inline constexpr std::uint32_t strings_per_record = 8;

/// The widths of the fields of a group's records, in bits.
struct RecordWidths {
  std::uint32_t bytes = 0;
  std::uint32_t codes = 0;
  std::uint32_t length = 0;
  std::uint32_t step = 0;
  /// 1 where a string of the group is null, else 0.
  std::uint32_t valid = 0;

  /// Bytes of a record.
  std::size_t record_bytes() const {
    return (bytes + codes + strings_per_record * (length + step + valid) + 7) / 8;
  }
};

/// An entry in memory.
struct LookupEntry {
  std::uint64_t first_byte = 0;
  std::uint64_t data_offset = 0;
  std::uint64_t first_code = 0;
  std::uint32_t shortest_length = 0;
  std::uint32_t shortest_step = 0;
  RecordWidths widths = {};
};

/// A record whose entry has been read. Inline, as all that finds a string: it takes less than a call.
class LookupRecord {
public:
  /// Record `number` of the group of `entry`, which must outlive it; `groups` are those of the column.
  LookupRecord(const LookupEntry& entry, const std::uint8_t* groups, std::uint64_t number)
      : entry_(entry), bytes_(groups + entry.data_offset + number * entry.widths.record_bytes()) {}

  const std::uint8_t* bytes() const { return bytes_; }
  /// From the group's first byte and first code to those of the record's first string.
  std::uint64_t first_byte() const { return bits_at(0, entry_.widths.bytes); }
  std::uint64_t first_code() const { return bits_at(entry_.widths.bytes, entry_.widths.codes); }

  /// Fields of string `string`, less than strings_per_record, as they are stored.
  std::uint64_t length_field(std::uint32_t string) const {
    return bits_at(lengths() + std::uint64_t{string} * entry_.widths.length, entry_.widths.length);
  }
  std::uint64_t step_field(std::uint32_t string) const {
    return bits_at(steps() + std::uint64_t{string} * entry_.widths.step, entry_.widths.step);
  }
  bool valid_field(std::uint32_t string) const { return bits_at(valids() + string, 1) != 0; }

  /// From first_byte() and first_code() to the ends of the first `count` strings.
  std::uint64_t end_byte(std::uint32_t count) const {
    // No branch: nobody could predict it.
    const std::uint64_t field = length_field(count - (count == 0 ? 0U : 1U));
    return (field & unless_zero(count)) + std::uint64_t{count} * entry_.shortest_length;
  }
  std::uint64_t end_code(std::uint32_t count) const {
    const std::uint64_t field = step_field(count - (count == 0 ? 0U : 1U));
    return (field & unless_zero(count)) + std::uint64_t{count} * entry_.shortest_step;
  }
  bool is_null(std::uint32_t string) const { return entry_.widths.valid != 0 && !valid_field(string); }

  /// Whether the bits after the last field are 0.
  bool is_padded() const {
    const std::uint64_t used = valids() + std::uint64_t{strings_per_record} * entry_.widths.valid;
    return used % 8 == 0 || bytes_[used / 8] >> (used % 8) == 0;
  }

private:
  static std::uint64_t unless_zero(std::uint32_t count) { return count == 0 ? 0 : ~std::uint64_t{0}; }

  std::uint64_t bits_at(std::uint64_t position, std::uint32_t width) const {
    const std::uint64_t word = load_word(bytes_ + position / 8);
    return word >> (position % 8) & ((std::uint64_t{1} << width) - 1);
  }
  std::uint64_t lengths() const { return std::uint64_t{entry_.widths.bytes} + entry_.widths.codes; }
  std::uint64_t steps() const { return lengths() + std::uint64_t{strings_per_record} * entry_.widths.length; }
  std::uint64_t valids() const { return steps() + std::uint64_t{strings_per_record} * entry_.widths.step; }

  const LookupEntry& entry_;
  const std::uint8_t* bytes_;
};

/// Where a string is: in the output of the frame, and its codes in the frame.
struct CodedString {
  StringPlace place;
  /// The code end of the string before, and its own. Nothing in the dense layout.
  std::uint64_t codes_after = 0;
  std::uint64_t code_end = 0;
};

/// A column that has been checked but for its frame, whose bytes `frame` are.
struct LookupColumnView {
  format::ColumnType type;
  std::uint64_t string_count;
  std::uint64_t null_count;
  /// Bytes of all strings together.
  std::uint64_t string_bytes;
  std::span<const std::uint8_t> frame;
  /// The entries of all groups and their data. More bytes of the column follow: a word can be read anywhere.
  std::span<const std::uint8_t> groups;

  /// Group `number`, of which the column has more.
  LookupEntry entry(std::uint64_t number) const {
    const std::uint8_t* const bytes = groups.data() + number * lookup_entry_bytes;
    const std::uint64_t shortest = load_word(bytes + 24);
    const std::uint64_t widths = load_word(bytes + 32);
    return {.first_byte = load_word(bytes),
            .data_offset = load_word(bytes + 8),
            .first_code = load_word(bytes + 16),
            .shortest_length = static_cast<std::uint32_t>(shortest),
            .shortest_step = static_cast<std::uint32_t>(shortest >> 32),
            .widths = {.bytes = static_cast<std::uint8_t>(widths),
                       .codes = static_cast<std::uint8_t>(widths >> 8),
                       .length = static_cast<std::uint8_t>(widths >> 16),
                       .step = static_cast<std::uint8_t>(widths >> 24),
                       .valid = static_cast<std::uint8_t>(widths >> 32)}};
  }

  /// String `number`, of which the column has more.
  CodedString string(std::uint64_t number) const {
    const LookupEntry of_group = entry(number / format::strings_per_group);
    const LookupRecord record(of_group, groups.data(), record_of(number));
    const auto in_record = static_cast<std::uint32_t>(number % strings_per_record);
    const std::uint64_t begin = record.end_byte(in_record);
    const std::uint64_t first_code = of_group.first_code + record.first_code();
    return {.place = {.offset = of_group.first_byte + record.first_byte() + begin,
                      .bytes = record.end_byte(in_record + 1) - begin,
                      .is_null = record.is_null(in_record)},
            .codes_after = first_code + record.end_code(in_record),
            .code_end = first_code + record.end_code(in_record + 1)};
  }

  /// Has the memory fetched that string() of this number reads.
  void prefetch(std::uint64_t number) const {
    const LookupEntry of_group = entry(number / format::strings_per_group);
    const LookupRecord record(of_group, groups.data(), record_of(number));
    __builtin_prefetch(record.bytes());
    // It can go over the end of a line of the cache.
    __builtin_prefetch(record.bytes() + of_group.widths.record_bytes());
  }

  /// Has the memory fetched where the codes of string `number` are likely to be, at the same time as its
  /// record: waiting for one after the other is most of what a string takes that is in no cache. Does nothing
  /// where codes are too long to be guessed.
  void prefetch_codes(std::uint64_t number) const {
    const std::uint64_t group = number / format::strings_per_group;
    if ((group + 2) * format::strings_per_group > string_count) return;
    const std::uint8_t* const of_group = groups.data() + group * lookup_entry_bytes;
    const std::uint64_t first_code = load_word(of_group + 16);
    const std::uint64_t code_bytes = load_word(of_group + lookup_entry_bytes + 16) - first_code;
    if (code_bytes > most_guessed_code_bytes) return;
    const std::uint8_t* const guess =
        frame.data() + first_code +
        number % format::strings_per_group * code_bytes / format::strings_per_group;
    for (const std::ptrdiff_t line : {-1, 0, 1, 2})
      __builtin_prefetch(guess + line * line_bytes - line_bytes / 2);
  }

  /// The first string that ends behind byte `offset` of the frame's output, which has more bytes.
  std::uint64_t string_at(std::uint64_t offset) const;

private:
  static constexpr std::ptrdiff_t line_bytes = 64;
  /// Of a group: with more, the guess is more than a line off most of the time.
  static constexpr std::uint64_t most_guessed_code_bytes = std::uint64_t{20} << 10;

  static std::uint64_t record_of(std::uint64_t string) {
    return string % format::strings_per_group / strings_per_record;
  }
};

/// Whether `bytes` starts as a column of strings whose version is the one of the layout for lookups.
bool is_lookup_column(std::span<const std::uint8_t> bytes);

/// Parses `bytes`, all of a column for which is_lookup_column() holds, and checks every field but those of
/// the frame. Throws format::FormatError, whose block is empty, and ApiError for a layout that is not known.
LookupColumnView parse_lookup_column(std::span<const std::uint8_t> bytes);

}  // namespace gsst::library
