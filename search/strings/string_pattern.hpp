#pragma once

#include <cstdint>
#include <string>

namespace gsst::search {

enum class PatternKind : std::uint8_t {
  substring,   ///< strings that contain it
  prefix,      ///< strings that start with it
  suffix,      ///< strings that end with it
  equals,      ///< the same string
  like,        ///< SQL's LIKE: % for any bytes, _ for a character, a backslash for what stands after it
  expression,  ///< a regular expression in the syntax of RE2
};

struct StringPattern {
  PatternKind kind;
  std::string text;
};

struct StringPatternSettings {
  /// In both cases match: letters of ASCII, and with `utf8` those of Unicode as its simple folding has them.
  bool ignore_case = false;
  /// A character is one of UTF-8, not a byte.
  bool utf8 = false;
};

}  // namespace gsst::search
