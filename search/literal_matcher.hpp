#pragma once

#include <string>

#include "search/matcher.hpp"

namespace gsst::search {

/// Matches one string.
class LiteralMatcher final : public Matcher {
public:
  explicit LiteralMatcher(std::string literal) : literal_(std::move(literal)) {}

  std::optional<Match> find(std::string_view text, std::size_t from) const override;
  std::optional<Match> find_shorter(std::string_view text, const Match& match) const override;

private:
  std::string literal_;
};

}  // namespace gsst::search
