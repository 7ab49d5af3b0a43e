#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "search/codes/block_search.hpp"

namespace gsst::search::codes {

/// A part of a text, and how much of it lies between that and the part before.
struct TextPart {
  std::uint64_t skipped_bytes;
  /// Counted only where it is asked for.
  std::uint64_t skipped_line_ends;
  std::vector<std::uint8_t> text;
};

/// Those parts of a block in which a line with a word of the plan, or its literal, may be: whole lines, each
/// with its line end, but for the lines that the block's start and end cut, which are always there. Nothing
/// where so many lines may have a word, or are so long, that to decode the block is faster, and where line
/// ends are to be counted in codes that may be halves of bytes. No word has a line end. Throws as
/// find_in_block().
std::optional<std::vector<TextPart>> find_lines(const CodePlan& plan, const SearchedCodes& codes,
                                                bool count_line_ends);

}  // namespace gsst::search::codes
