#include "search/pattern.hpp"

#include <utility>

#include "search/bounded_matcher.hpp"
#include "search/byte_set.hpp"
#include "search/expression_matcher.hpp"
#include "search/extended_expression.hpp"
#include "search/filtered_matcher.hpp"
#include "search/literal_matcher.hpp"
#include "search/needed_words.hpp"

namespace gsst::search {
namespace {

TranslatedExpression translate(const std::string& pattern, const PatternSettings& settings) {
  return settings.syntax == PatternSyntax::fixed
             ? translate_fixed_string(pattern, settings.ignore_case)
             : translate_extended_expression(pattern, settings.ignore_case);
}

std::vector<TranslatedExpression> translate_all(const std::vector<std::string>& patterns,
                                                const PatternSettings& settings) {
  std::vector<TranslatedExpression> expressions;
  expressions.reserve(patterns.size());
  for (const std::string& pattern : patterns) expressions.push_back(translate(pattern, settings));
  return expressions;
}

// The patterns as alternatives.
std::string joined(const std::vector<TranslatedExpression>& expressions) {
  if (expressions.empty()) return expression_of(ByteSet());
  std::string text;
  for (const TranslatedExpression& expression : expressions) {
    text += (text.empty() ? "(?:" : "|(?:") + expression.text + ")";
  }
  return text;
}

std::vector<std::string> words_of_any(const std::vector<TranslatedExpression>& expressions) {
  if (expressions.empty()) return {};
  std::vector<std::string> words = expressions.front().words;
  for (const TranslatedExpression& expression : expressions) {
    words = words_of_either(std::move(words), expression.words);
    if (words.empty()) break;
  }
  return words;
}

std::unique_ptr<const Matcher> bounded(std::unique_ptr<const Matcher> matcher,
                                       const PatternSettings& settings) {
  if (!settings.whole_words) return matcher;
  return std::make_unique<WordMatcher>(std::move(matcher));
}

}  // namespace

std::vector<std::string> patterns_of_lines(std::string_view text) {
  std::vector<std::string> patterns;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    patterns.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return patterns;
}

std::unique_ptr<const Matcher> compile(const std::vector<std::string>& patterns,
                                       const PatternSettings& settings) {
  std::vector<TranslatedExpression> expressions = translate_all(patterns, settings);
  if (expressions.size() == 1 && expressions.front().literal) {
    auto matcher =
        std::make_unique<LiteralMatcher>(std::move(*expressions.front().literal), settings.ignore_case);
    if (settings.whole_lines) return std::make_unique<LineMatcher>(std::move(matcher));
    return bounded(std::move(matcher), settings);
  }
  const std::string all = joined(expressions);
  std::unique_ptr<const Matcher> matcher =
      settings.whole_lines ? std::make_unique<ExpressionMatcher>("(?m:^)(?:" + all + ")(?m:$)")
                           : bounded(std::make_unique<ExpressionMatcher>(all), settings);
  const std::vector<std::string> words = words_of_any(expressions);
  if (words.empty()) return matcher;
  return std::make_unique<FilteredMatcher>(WordFinder(words, settings.ignore_case), std::move(matcher));
}

std::vector<std::string> words_in_matches(const std::vector<std::string>& patterns,
                                          const PatternSettings& settings) {
  return words_of_any(translate_all(patterns, settings));
}

}  // namespace gsst::search
