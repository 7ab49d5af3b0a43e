#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Extended regular expressions of POSIX with GNU's additions, as grep -E takes them in the locale C, said in
/// the syntax of RE2, which compiles and matches them. The dialects differ in brackets, escapes, intervals
/// and what may be repeated.
namespace gsst::search {

struct TranslatedExpression {
  /// For RE2 with Latin-1 and leftmost-longest matches; never matches a line end. `^` and `$` are those of
  /// lines.
  std::string text;
  /// The only string that the expression matches, if it is of bytes alone.
  std::optional<std::string> literal;
};

/// Translates `pattern`, which has no line end. Not done: back-references, and `\<` and `\>` where what is
/// next to them may be of a word or not. Throws PatternError for these and for what breaks the syntax.
TranslatedExpression translate_extended_expression(std::string_view pattern, bool ignore_case);

/// The same for a pattern that stands for its bytes.
TranslatedExpression translate_fixed_string(std::string_view pattern, bool ignore_case);

}  // namespace gsst::search
