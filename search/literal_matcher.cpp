#include "search/literal_matcher.hpp"

#include <cstring>

namespace gsst::search {

std::optional<Match> LiteralMatcher::find(std::string_view text, std::size_t from) const {
  if (from >= text.size()) return std::nullopt;
  // The C library's search is faster than std::string_view's by far.
  const void* const found =
      ::memmem(text.data() + from, text.size() - from, literal_.data(), literal_.size());
  if (found == nullptr) return std::nullopt;
  const auto begin = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
  return Match{begin, begin + literal_.size()};
}

std::optional<Match> LiteralMatcher::find_shorter(std::string_view /*text*/, const Match& /*match*/) const {
  return std::nullopt;
}

}  // namespace gsst::search
