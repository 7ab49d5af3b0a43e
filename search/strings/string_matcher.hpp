#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "search/matcher.hpp"

namespace gsst::search {

/// Finds what a pattern matches in one string, such as a line or a value of a column, at whose ends anchors
/// are. Objects do not change: threads may share one.
class StringMatcher {
public:
  StringMatcher() = default;
  StringMatcher(const StringMatcher&) = delete;
  StringMatcher& operator=(const StringMatcher&) = delete;
  virtual ~StringMatcher() = default;

  /// The leftmost match that begins at `from`, at most the string's size, or later, and of those the longest.
  virtual std::optional<Match> find(std::string_view string, std::size_t from) const = 0;
  /// Whether there is a match.
  virtual bool matches(std::string_view string) const { return find(string, 0).has_value(); }
};

}  // namespace gsst::search
