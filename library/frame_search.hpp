#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "library/decompress_plan.hpp"
#include "search/codes/literal.hpp"
#include "search/strings/patterns.hpp"
#include "search/strings/text_matches.hpp"

namespace gsst::library {

/// Finds the matches of `patterns` in what `frame` decompresses to, as search::TextMatches does. Throws
/// WrongFormat and format::FormatError.
void find_in_frame(const search::Patterns& patterns, std::span<const std::uint8_t> frame,
                   const DecompressOptions& options, const search::TextMatches::Sink& sink);

/// The words of `patterns`, to be found in codes. None where not every match has one.
std::vector<search::codes::Literal> literals_of(const search::Patterns& patterns);

}  // namespace gsst::library
