#include "search/literal_matcher.hpp"

#include <vector>

namespace gsst::search {

LiteralMatcher::LiteralMatcher(const std::string& literal, bool ignore_case) : size_(literal.size()) {
  if (!literal.empty()) finder_.emplace(std::vector{literal}, ignore_case);
}

std::optional<Match> LiteralMatcher::find(std::string_view text, std::size_t from) const {
  if (from >= text.size()) return std::nullopt;
  const std::optional<std::size_t> begin = finder_ ? finder_->find(text, from) : from;
  return begin ? std::optional(Match{*begin, *begin + size_}) : std::nullopt;
}

std::optional<Match> LiteralMatcher::find_shorter(std::string_view /*text*/, const Match& /*match*/) const {
  return std::nullopt;
}

}  // namespace gsst::search
