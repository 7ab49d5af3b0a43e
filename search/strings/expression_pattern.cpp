#include "search/strings/expression_pattern.hpp"

#include <stdexcept>

#include "search/strings/like_pattern.hpp"

#if defined(GSST_WITH_RE2)
#include <re2/filtered_re2.h>
#include <re2/re2.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#endif

namespace gsst::search {
namespace {

// In the syntax of RE2, for its bytes or characters.
std::string quoted(const std::string& text) {
  std::string result;
  for (const char byte : text) {
    if (byte == '\0') {
      result += "\\x00";
      continue;
    }
    const bool is_plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                          (byte >= '0' && byte <= '9') || (static_cast<unsigned char>(byte) & 0x80U) != 0;
    if (!is_plain) result += '\\';
    result += byte;
  }
  return result;
}

std::string expression_of_items(const std::vector<LikeItem>& items) {
  std::string result;
  for (const LikeItem& item : items) {
    switch (item.kind) {
      case LikeItem::Kind::byte:
        result += quoted(std::string(1, item.byte));
        break;
      case LikeItem::Kind::any_character:
        result += "(?s:.)";
        break;
      case LikeItem::Kind::any_bytes:
        result += "(?s:.*)";
        break;
    }
  }
  return result;
}

#if defined(GSST_WITH_RE2)

// Of compiled expressions and their automata.
constexpr std::int64_t max_compiled_bytes = std::int64_t{256} << 20;
// Shorter words are found too often to tell much.
constexpr int least_word_bytes = 2;

RE2::Options options_of(const StringPatternSettings& settings) {
  RE2::Options options(settings.utf8 ? RE2::DefaultOptions : RE2::Latin1);
  options.set_longest_match(true);
  options.set_case_sensitive(!settings.ignore_case);
  options.set_log_errors(false);
  options.set_max_mem(max_compiled_bytes);
  return options;
}

[[noreturn]] void refuse(const std::string& expression, const RE2& compiled) {
  const std::string& where = compiled.error_arg();
  const std::size_t byte = where.empty() ? std::string::npos : expression.find(where);
  const std::string place = byte == std::string::npos ? "" : "byte " + std::to_string(byte) + ": ";
  const bool is_reference =
      compiled.error_code() == RE2::ErrorBadEscape && where.size() > 1 && where[1] >= '1' && where[1] <= '9';
  if (is_reference) throw std::invalid_argument(place + "back-references (" + where + ") are not done");
  throw std::invalid_argument(place + compiled.error());
}

class CompiledExpression final : public StringMatcher {
public:
  CompiledExpression(const std::string& expression, const StringPatternSettings& settings)
      : compiled_(expression, options_of(settings)) {
    if (!compiled_.ok()) refuse(expression, compiled_);
    if (!compiled_.NamedCapturingGroups().empty()) {
      const std::size_t byte = expression.find("(?P<");
      throw std::invalid_argument("byte " + std::to_string(byte) +
                                  ": captures are not done; (...) and (?:...) group");
    }
  }

  std::optional<Match> find(std::string_view string, std::size_t from) const override {
    re2::StringPiece found;
    const re2::StringPiece text(string.data(), string.size());
    if (!compiled_.Match(text, from, string.size(), RE2::UNANCHORED, &found, 1)) return std::nullopt;
    const auto begin = static_cast<std::size_t>(found.data() - text.data());
    return Match{begin, begin + found.size()};
  }

  bool matches(std::string_view string) const override {
    const re2::StringPiece text(string.data(), string.size());
    return compiled_.Match(text, 0, string.size(), RE2::UNANCHORED, nullptr, 0);
  }

private:
  RE2 compiled_;
};

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char byte) { return static_cast<unsigned char>(byte) < 0x80; });
}

// Whether an expression on UTF-8 matches letters in another case only where that is one of ASCII: it says
// nothing of cases, and has no character beyond ASCII.
bool has_cases_of_ascii(const std::string& expression, const StringPatternSettings& settings) {
  if (!settings.utf8) return true;
  if (settings.ignore_case || !is_ascii(expression)) return false;
  for (std::size_t i = 0; i + 1 < expression.size(); ++i) {
    if (expression[i] == '(' && expression[i + 1] == '?') return false;
    // Escapes of characters by their numbers or names.
    if (expression[i] == '\\' &&
        std::string_view("xpP01234567").find(expression[i + 1]) != std::string::npos) {
      return false;
    }
  }
  return true;
}

// The longest part of `word`, which RE2 has made lower-case, that texts have in the same bytes but for cases
// of ASCII. Two characters beyond ASCII have k and s as their lower-case letters.
std::string certain_part(const std::string& word) {
  std::string longest;
  std::string run;
  for (const char byte : word) {
    if (static_cast<unsigned char>(byte) >= 0x80 || byte == 'k' || byte == 's') {
      run.clear();
      continue;
    }
    run += byte;
    if (run.size() > longest.size()) longest = run;
  }
  return longest;
}

std::vector<std::string> words_in(const std::string& expression, const StringPatternSettings& settings) {
  re2::FilteredRE2 filter(least_word_bytes);
  int number = 0;
  if (filter.Add(expression, options_of(settings), &number) != RE2::NoError) return {};
  // A match needs at least one of these, whatever it needs beside it.
  std::vector<std::string> words;
  filter.Compile(&words);
  if (has_cases_of_ascii(expression, settings)) return words;
  for (std::string& word : words) {
    word = certain_part(word);
    if (word.size() < static_cast<std::size_t>(least_word_bytes)) return {};
  }
  return words;
}

#endif

}  // namespace

std::string expression_of(const StringPattern& pattern) {
  switch (pattern.kind) {
    case PatternKind::substring:
      return quoted(pattern.text);
    case PatternKind::prefix:
      return "\\A" + quoted(pattern.text);
    case PatternKind::suffix:
      return quoted(pattern.text) + "\\z";
    case PatternKind::equals:
      return "\\A" + quoted(pattern.text) + "\\z";
    case PatternKind::like:
      return "\\A" + expression_of_items(parse_like(pattern.text)) + "\\z";
    case PatternKind::expression:
      break;
  }
  return pattern.text;
}

#if defined(GSST_WITH_RE2)

ExpressionPattern make_expression_pattern(const std::string& expression,
                                          const StringPatternSettings& settings) {
  auto matcher = std::make_unique<const CompiledExpression>(expression, settings);
  return {.matcher = std::move(matcher), .words = words_in(expression, settings)};
}

#else

ExpressionPattern make_expression_pattern(const std::string& /*expression*/,
                                          const StringPatternSettings& /*settings*/) {
  throw std::invalid_argument(
      "this build of the library has no regular expressions: it was made without RE2");
}

#endif

}  // namespace gsst::search
