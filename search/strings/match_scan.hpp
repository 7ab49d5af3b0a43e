#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "search/matcher.hpp"
#include "search/strings/patterns.hpp"

namespace gsst::search {

/// Goes over the matches of patterns in strings: of each place the longest, none that begins before the end
/// of the one before it, and none without bytes. What grep -o prints of a line.
class MatchScan {
public:
  /// `patterns` must outlive this object.
  explicit MatchScan(const Patterns& patterns) : patterns_(patterns), next_(patterns.matchers().size()) {}

  /// Starts over with `string`, whose bytes must stay until the last call of next().
  void start(std::string_view string, std::size_t from = 0);
  /// The next match; nothing after the last one.
  std::optional<Match> next();

private:
  // Of one matcher.
  struct Next {
    bool is_known = false;
    std::optional<Match> match = {};
  };

  const Patterns& patterns_;
  std::vector<Next> next_;
  std::string_view string_;
  std::size_t from_ = 0;
};

}  // namespace gsst::search
