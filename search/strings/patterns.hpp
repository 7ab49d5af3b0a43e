#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "search/strings/string_matcher.hpp"
#include "search/strings/string_pattern.hpp"
#include "search/word_finder.hpp"

namespace gsst::search {

/// Several patterns, of which any may match. Does not change: threads may share it.
class Patterns {
public:
  /// Throws std::invalid_argument that names the pattern and, where it is known, the byte that is wrong.
  Patterns(std::span<const StringPattern> patterns, const StringPatternSettings& settings);

  /// Whether a pattern matches in `string`.
  bool matches(std::string_view string) const;

  /// What finds matches, each for some of the patterns.
  std::span<const std::unique_ptr<const StringMatcher>> matchers() const { return matchers_; }

  /// Whether every string with bytes that matches is known to have one of words() in it: with none, none
  /// matches.
  bool needs_words() const { return needs_words_; }
  /// Strings with bytes.
  const std::vector<std::string>& words() const { return words_; }
  /// Letters of ASCII in words count in both cases.
  bool words_ignore_case() const { return words_ignore_case_; }
  /// What finds words; nothing where there are none.
  const std::optional<WordFinder>& word_finder() const { return word_finder_; }

  /// Whether all patterns are substrings: then no border of strings matters to them.
  bool has_substrings_alone() const { return has_substrings_alone_; }
  /// Whether a pattern has a line end.
  bool has_line_end() const { return has_line_end_; }
  /// Bytes of the longest pattern.
  std::size_t longest() const { return longest_; }

private:
  void add(const StringPattern& pattern, const StringPatternSettings& settings);
  void add_expression(const std::string& expression, const StringPatternSettings& settings);
  void add_word(const std::string& word);

  std::vector<std::unique_ptr<const StringMatcher>> matchers_;
  // Of kind equals, which become one matcher.
  std::vector<std::string> whole_strings_;
  bool needs_words_ = true;
  std::vector<std::string> words_;
  bool words_ignore_case_;
  std::optional<WordFinder> word_finder_;
  bool has_substrings_alone_ = true;
  bool has_line_end_ = false;
  std::size_t longest_ = 0;
};

}  // namespace gsst::search
