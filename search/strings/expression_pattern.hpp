#pragma once

#include <memory>
#include <string>
#include <vector>

#include "search/strings/string_matcher.hpp"
#include "search/strings/string_pattern.hpp"

namespace gsst::search {

/// A regular expression, and words of which every match has one in it, in any case. Without words nothing is
/// known of matches.
struct ExpressionPattern {
  std::unique_ptr<const StringMatcher> matcher;
  std::vector<std::string> words;
};

/// What finds matches of `expression`, which is in the syntax of RE2: `^` and `$` are the ends of a string.
/// Throws std::invalid_argument that names the byte where the expression is wrong, or that this build has no
/// expressions.
ExpressionPattern make_expression_pattern(const std::string& expression,
                                          const StringPatternSettings& settings);

/// The expression that matches what `pattern`, of any kind, does.
std::string expression_of(const StringPattern& pattern);

}  // namespace gsst::search
