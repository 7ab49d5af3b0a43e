#include "search/expression_matcher.hpp"

#include "search/pattern_error.hpp"

namespace gsst::search {
namespace {

// Of compiled expressions and their automata: lists of ten thousands of words fit.
constexpr std::int64_t max_expression_bytes = std::int64_t{256} << 20;

RE2::Options expression_options() {
  RE2::Options options(RE2::Latin1);
  options.set_longest_match(true);
  options.set_log_errors(false);
  options.set_max_mem(max_expression_bytes);
  return options;
}

}  // namespace

ExpressionMatcher::ExpressionMatcher(const std::string& expression)
    : expression_(expression, expression_options()) {
  if (!expression_.ok()) {
    throw PatternError("the patterns are too large or too complex together: " + expression_.error());
  }
}

std::optional<Match> ExpressionMatcher::match(std::string_view text, std::size_t begin, std::size_t end,
                                              RE2::Anchor anchor) const {
  re2::StringPiece found;
  if (!expression_.Match(re2::StringPiece(text.data(), text.size()), begin, end, anchor, &found, 1)) {
    return std::nullopt;
  }
  const auto found_begin = static_cast<std::size_t>(found.data() - text.data());
  return Match{found_begin, found_begin + found.size()};
}

std::optional<Match> ExpressionMatcher::find(std::string_view text, std::size_t from) const {
  // At the end of the text another line could begin, which is not there.
  if (from >= text.size()) return std::nullopt;
  const auto found = match(text, from, text.size(), RE2::UNANCHORED);
  return found && found->begin < text.size() ? found : std::nullopt;
}

std::optional<Match> ExpressionMatcher::find_shorter(std::string_view text, const Match& longer) const {
  if (longer.end == longer.begin) return std::nullopt;
  // RE2 sees the bytes past the end that it is given: anchors and edges of words are the text's.
  return match(text, longer.begin, longer.end - 1, RE2::ANCHOR_START);
}

}  // namespace gsst::search
