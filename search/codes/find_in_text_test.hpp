#pragma once

#include <cctype>
#include <cstdint>
#include <vector>

/// The oracle of the search on codes.
namespace gsst::search::codes::test {

using Text = std::vector<std::uint8_t>;
using Positions = std::vector<std::uint64_t>;

/// All places of `text` where `pattern`, not empty, begins, found by comparing at each of them.
inline Positions find_in_text(const Text& text, const Text& pattern, bool ignore_case) {
  const auto fold = [ignore_case](std::uint8_t byte) {
    return ignore_case && byte < 128 ? static_cast<std::uint8_t>(std::tolower(byte)) : byte;
  };
  Positions found;
  for (std::size_t place = 0; place + pattern.size() <= text.size(); ++place) {
    std::size_t equal = 0;
    while (equal < pattern.size() && fold(text[place + equal]) == fold(pattern[equal])) ++equal;
    if (equal == pattern.size()) found.push_back(place);
  }
  return found;
}

}  // namespace gsst::search::codes::test
