#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "library/searched_frame.hpp"
#include "search/strings/patterns.hpp"

/// Strings of one block of a column's frame, of which those that may match are looked at.
namespace gsst::library {

/// Where the strings of a column start in the text of its frame.
struct StringBorders {
  /// Of each string, and where what is after the last one ends.
  std::span<const std::uint64_t> begins;
  /// After each string, before the next one begins.
  std::uint64_t separator_bytes;

  /// Bytes of string `string`.
  std::uint64_t bytes_of(std::uint64_t string) const {
    return begins[string + 1] - begins[string] - separator_bytes;
  }
};

/// Gets the number of a string and its bytes, of which it has some.
using StringVisitor = std::function<void(std::uint64_t string, std::string_view bytes)>;

/// What a block has of strings that begin before it or end behind it, with what is after them.
struct CutStrings {
  /// All of the block, if it lies in one string.
  std::string head = {};
  std::string tail = {};
};

/// The strings of which a block has bytes.
struct StringsOfBlock {
  /// Where the block's text begins and ends in that of the frame.
  std::uint64_t begin;
  std::uint64_t end;
  /// The first string that begins in the block or behind it, and the first one that does not end in the
  /// block.
  std::uint64_t first;
  std::uint64_t last;

  /// Whether the string in front of `first` ends in the block.
  bool has_border(StringBorders borders) const { return borders.begins[first] <= end; }
};

StringsOfBlock strings_of_block(StringBorders borders, std::uint64_t begin, std::uint64_t end);

/// Visits all strings that lie in block `block`, `strings`, and may match `patterns`. Throws
/// format::FormatError.
CutStrings visit_strings(const SearchedFrame& frame, SearchedFrame::Worker& worker, std::uint64_t block,
                         const StringsOfBlock& strings, StringBorders borders,
                         const search::Patterns& patterns, const StringVisitor& visit);

}  // namespace gsst::library
