#include "search/strings/patterns.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "search/strings/expression_pattern.hpp"
#include "search/strings/like_pattern.hpp"
#include "search/strings/literal_patterns.hpp"

namespace gsst::search {
namespace {

// Letters that have other cases than those of ASCII, or may have: k and s are lower-case letters of two
// characters beyond ASCII.
bool has_cases_of_unicode(const std::string& text) {
  return std::ranges::any_of(text, [](char byte) {
    return static_cast<unsigned char>(byte) >= 0x80 || byte == 'k' || byte == 'K' || byte == 's' ||
           byte == 'S';
  });
}

}  // namespace

Patterns::Patterns(std::span<const StringPattern> patterns, const StringPatternSettings& settings)
    : words_ignore_case_(settings.ignore_case) {
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    try {
      add(patterns[i], settings);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument("pattern " + std::to_string(i) + ": " + error.what());
    }
  }
  if (!whole_strings_.empty()) {
    matchers_.push_back(
        std::make_unique<EqualsPattern>(std::exchange(whole_strings_, {}), settings.ignore_case));
  }
  if (!needs_words_) words_.clear();
  std::ranges::sort(words_);
  words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
  if (!words_.empty()) word_finder_.emplace(words_, words_ignore_case_);
}

void Patterns::add(const StringPattern& pattern, const StringPatternSettings& settings) {
  has_substrings_alone_ &= pattern.kind == PatternKind::substring;
  has_line_end_ |= pattern.text.find('\n') != std::string::npos;
  longest_ = std::max(longest_, pattern.text.size());
  const bool ignore_case = settings.ignore_case;
  if (pattern.kind == PatternKind::expression) return add_expression(pattern.text, settings);
  if (ignore_case && settings.utf8 && has_cases_of_unicode(pattern.text)) {
    // Characters of a match may have more or fewer bytes than the pattern's.
    has_substrings_alone_ = false;
    return add_expression(expression_of(pattern), settings);
  }
  switch (pattern.kind) {
    case PatternKind::substring:
      matchers_.push_back(std::make_unique<SubstringPattern>(pattern.text, ignore_case));
      return add_word(pattern.text);
    case PatternKind::prefix:
      matchers_.push_back(std::make_unique<PrefixPattern>(pattern.text, ignore_case));
      return add_word(pattern.text);
    case PatternKind::suffix:
      matchers_.push_back(std::make_unique<SuffixPattern>(pattern.text, ignore_case));
      return add_word(pattern.text);
    case PatternKind::equals:
      whole_strings_.push_back(pattern.text);
      // No string with bytes is the empty one.
      if (!pattern.text.empty()) add_word(pattern.text);
      return;
    case PatternKind::like: {
      const std::vector<LikeItem> items = parse_like(pattern.text);
      matchers_.push_back(std::make_unique<LikePattern>(items, settings));
      return add_word(longest_string(items));
    }
    case PatternKind::expression:
      return;
  }
}

void Patterns::add_expression(const std::string& expression, const StringPatternSettings& settings) {
  ExpressionPattern made = make_expression_pattern(expression, settings);
  matchers_.push_back(std::move(made.matcher));
  words_ignore_case_ = true;
  if (made.words.empty()) needs_words_ = false;
  for (const std::string& word : made.words) add_word(word);
}

void Patterns::add_word(const std::string& word) {
  if (word.empty()) needs_words_ = false;
  words_.push_back(word);
}

bool Patterns::matches(std::string_view string) const {
  return std::ranges::any_of(matchers_, [&](const auto& matcher) { return matcher->matches(string); });
}

}  // namespace gsst::search
