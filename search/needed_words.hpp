#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// Lists of words of which every match of an expression has one in it: where none of them is, no match is. A
/// list without words says nothing.
namespace gsst::search {

/// Most words of a list: more of them are found too often to tell much.
inline constexpr std::size_t most_needed_words = 64;

/// Of what matches where one of two expressions does.
std::vector<std::string> words_of_either(std::vector<std::string> left,
                                         const std::vector<std::string>& right);
/// The one of two lists for the same expression that is likely to be found less often.
std::vector<std::string> rarer_words(std::vector<std::string> left, const std::vector<std::string>& right);

}  // namespace gsst::search
