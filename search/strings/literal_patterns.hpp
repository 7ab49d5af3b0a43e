#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "search/strings/string_matcher.hpp"
#include "search/word_finder.hpp"

/// Patterns that stand for their bytes. Where the case is ignored, letters of ASCII match in both.
namespace gsst::search {

/// A string anywhere. The empty one is everywhere.
class SubstringPattern final : public StringMatcher {
public:
  SubstringPattern(const std::string& substring, bool ignore_case);

  std::optional<Match> find(std::string_view string, std::size_t from) const override;

private:
  std::size_t size_;
  std::optional<WordFinder> finder_;
};

/// A string at the start.
class PrefixPattern final : public StringMatcher {
public:
  PrefixPattern(std::string_view prefix, bool ignore_case);

  std::optional<Match> find(std::string_view string, std::size_t from) const override;

private:
  std::string prefix_;
  bool ignore_case_;
};

/// A string at the end.
class SuffixPattern final : public StringMatcher {
public:
  SuffixPattern(std::string_view suffix, bool ignore_case);

  std::optional<Match> find(std::string_view string, std::size_t from) const override;

private:
  std::string suffix_;
  bool ignore_case_;
};

/// Any of a number of strings, as a whole.
class EqualsPattern final : public StringMatcher {
public:
  EqualsPattern(const std::vector<std::string>& strings, bool ignore_case);

  std::optional<Match> find(std::string_view string, std::size_t from) const override;

private:
  struct Hash {
    // NOLINTNEXTLINE(readability-identifier-naming): the standard calls it so.
    using is_transparent = void;
    std::size_t operator()(std::string_view string) const { return std::hash<std::string_view>()(string); }
  };

  std::unordered_set<std::string, Hash, std::equal_to<>> strings_;
  bool ignore_case_;
};

}  // namespace gsst::search
