#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// The oracle of the search on codes.
namespace gsst::search::codes::test {

using Text = std::vector<std::uint8_t>;
using Positions = std::vector<std::uint64_t>;

/// All places of `text` where `pattern`, not empty, begins.
inline Positions find_in_text(const Text& text, const Text& pattern, bool ignore_case) {
  const auto folded = [ignore_case](const Text& bytes) {
    std::string copy(bytes.begin(), bytes.end());
    for (char& byte : copy) {
      if (ignore_case && byte >= 'A' && byte <= 'Z') byte = static_cast<char>(byte - 'A' + 'a');
    }
    return copy;
  };
  const std::string searched = folded(text);
  const std::string wanted = folded(pattern);
  Positions found;
  for (std::size_t place = searched.find(wanted); place != std::string::npos;
       place = searched.find(wanted, place + 1)) {
    found.push_back(place);
  }
  return found;
}

}  // namespace gsst::search::codes::test
