#include "search/pattern.hpp"

#include <utility>

#include "search/bounded_matcher.hpp"
#include "search/byte_set.hpp"
#include "search/expression_matcher.hpp"
#include "search/extended_expression.hpp"
#include "search/literal_matcher.hpp"

namespace gsst::search {
namespace {

TranslatedExpression translate(const std::string& pattern, const PatternSettings& settings) {
  return settings.syntax == PatternSyntax::fixed
             ? translate_fixed_string(pattern, settings.ignore_case)
             : translate_extended_expression(pattern, settings.ignore_case);
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
  std::vector<TranslatedExpression> expressions;
  expressions.reserve(patterns.size());
  for (const std::string& pattern : patterns) expressions.push_back(translate(pattern, settings));

  if (expressions.size() == 1 && expressions.front().literal) {
    auto matcher = std::make_unique<LiteralMatcher>(std::move(*expressions.front().literal));
    if (settings.whole_lines) return std::make_unique<LineMatcher>(std::move(matcher));
    return bounded(std::move(matcher), settings);
  }
  const std::string all = joined(expressions);
  if (settings.whole_lines) return std::make_unique<ExpressionMatcher>("(?m:^)(?:" + all + ")(?m:$)");
  return bounded(std::make_unique<ExpressionMatcher>(all), settings);
}

std::optional<std::string> literal_in_matches(const std::vector<std::string>& patterns,
                                              const PatternSettings& settings) {
  if (patterns.size() != 1) return std::nullopt;
  PatternSettings in_its_case = settings;
  in_its_case.ignore_case = false;
  std::optional<std::string> literal = translate(patterns.front(), in_its_case).literal;
  if (literal && literal->empty()) return std::nullopt;
  return literal;
}

}  // namespace gsst::search
