#pragma once

#include <optional>
#include <string>

#include "search/matcher.hpp"
#include "search/word_finder.hpp"

namespace gsst::search {

/// Matches one string.
class LiteralMatcher final : public Matcher {
public:
  /// With `ignore_case` letters of ASCII match in both cases.
  LiteralMatcher(const std::string& literal, bool ignore_case);

  std::optional<Match> find(std::string_view text, std::size_t from) const override;
  std::optional<Match> find_shorter(std::string_view text, const Match& match) const override;

private:
  std::size_t size_;
  // Nothing for the empty string, which is everywhere.
  std::optional<WordFinder> finder_;
};

}  // namespace gsst::search
