#pragma once

#include <re2/re2.h>

#include <string>

#include "search/matcher.hpp"

namespace gsst::search {

/// Matches an expression in the syntax of RE2 that never matches a line end.
class ExpressionMatcher final : public Matcher {
public:
  /// Throws PatternError if RE2 does not take the expression, as where it is too large.
  explicit ExpressionMatcher(const std::string& expression);

  std::optional<Match> find(std::string_view text, std::size_t from) const override;
  std::optional<Match> find_shorter(std::string_view text, const Match& match) const override;

private:
  std::optional<Match> match(std::string_view text, std::size_t begin, std::size_t end,
                             RE2::Anchor anchor) const;

  RE2 expression_;
};

}  // namespace gsst::search
