#include "search/bounded_matcher.hpp"

#include <cstdint>

#include "search/byte_set.hpp"

namespace gsst::search {
namespace {

bool is_of_word(char byte) {
  return word_bytes()[static_cast<std::uint8_t>(byte)];
}

bool is_whole_word(std::string_view text, const Match& match) {
  return (match.begin == 0 || !is_of_word(text[match.begin - 1])) &&
         (match.end == text.size() || !is_of_word(text[match.end]));
}

bool is_whole_line(std::string_view text, const Match& match) {
  return (match.begin == 0 || text[match.begin - 1] == '\n') && text[match.end] == '\n';
}

}  // namespace

std::optional<Match> WordMatcher::find(std::string_view text, std::size_t from) const {
  for (auto match = inner_->find(text, from); match; match = inner_->find(text, match->begin + 1)) {
    if (is_whole_word(text, *match)) return match;
    if (const auto shorter = find_shorter(text, *match)) return shorter;
  }
  return std::nullopt;
}

std::optional<Match> WordMatcher::find_shorter(std::string_view text, const Match& match) const {
  // Bytes of words in front: no match at this place will do.
  if (match.begin > 0 && is_of_word(text[match.begin - 1])) return std::nullopt;
  auto shorter = inner_->find_shorter(text, match);
  while (shorter && !is_whole_word(text, *shorter)) shorter = inner_->find_shorter(text, *shorter);
  return shorter;
}

std::optional<Match> LineMatcher::find(std::string_view text, std::size_t from) const {
  auto match = inner_->find(text, from);
  while (match && !is_whole_line(text, *match)) match = inner_->find(text, match->begin + 1);
  return match;
}

std::optional<Match> LineMatcher::find_shorter(std::string_view /*text*/, const Match& /*match*/) const {
  return std::nullopt;
}

}  // namespace gsst::search
