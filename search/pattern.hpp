#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "search/matcher.hpp"

namespace gsst::search {

enum class PatternSyntax {
  extended,  ///< extended regular expressions, as grep -E takes them
  fixed,     ///< strings of bytes
};

struct PatternSettings {
  PatternSyntax syntax = PatternSyntax::extended;
  /// Letters of ASCII match in both cases.
  bool ignore_case = false;
  /// Matches are whole words, as grep -w has them; without effect where they are whole lines.
  bool whole_words = false;
  bool whole_lines = false;
};

/// The lines of `text`, each of them a pattern. A line end at the end starts no other pattern.
std::vector<std::string> patterns_of_lines(std::string_view text);

/// What finds the matches of any of `patterns`, of which none has a line end in it; with none nothing
/// matches. Throws PatternError.
std::unique_ptr<const Matcher> compile(const std::vector<std::string>& patterns,
                                       const PatternSettings& settings);

/// Strings without line ends of which every match of `patterns`, which are as compile() takes them, has one
/// in it: in any case if the settings ignore it. Empty where none are known.
std::vector<std::string> words_in_matches(const std::vector<std::string>& patterns,
                                          const PatternSettings& settings);

}  // namespace gsst::search
