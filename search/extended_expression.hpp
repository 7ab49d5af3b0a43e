#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Extended regular expressions of POSIX with GNU's additions, as grep -E takes them in the locale C, said in
/// the syntax of RE2, which compiles and matches them. The dialects differ in brackets, escapes, intervals
/// and what may be repeated.
namespace gsst::search {

struct TranslatedExpression {
  /// For RE2 with Latin-1 and leftmost-longest matches; never matches a line end. `^` and `$` are those of
  /// lines.
  std::string text;
  /// The only string that the expression matches, in any case if it ignores that, where it is of bytes
  /// alone.
  std::optional<std::string> literal;
  /// Every match has one of these in it, in any case if it ignores that. Nothing where none is
  /// known.
  std::vector<std::string> words;
};

/// Translates `pattern`, which has no line end. Not done: back-references, and `\<` and `\>` where what is
/// next to them may be of a word or not. Throws PatternError for these and for what breaks the syntax.
TranslatedExpression translate_extended_expression(std::string_view pattern, bool ignore_case);

/// The same for a pattern that stands for its bytes.
TranslatedExpression translate_fixed_string(std::string_view pattern, bool ignore_case);

}  // namespace gsst::search
