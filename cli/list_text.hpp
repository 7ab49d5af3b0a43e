#pragma once

#include <string>
#include <vector>

namespace gsst::cli {

/// `words`, one or more, as a sentence lists them: "a, b and c" where `last` is "and".
inline std::string list_text(const std::vector<std::string>& words, const std::string& last) {
  std::string text = words.front();
  for (std::size_t i = 1; i < words.size(); ++i) {
    text += (i + 1 == words.size() ? " " + last + " " : ", ") + words[i];
  }
  return text;
}

}  // namespace gsst::cli
