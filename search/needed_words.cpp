#include "search/needed_words.hpp"

#include <algorithm>

namespace gsst::search {
namespace {

std::size_t shortest(const std::vector<std::string>& words) {
  return std::ranges::min(words, {}, &std::string::size).size();
}

}  // namespace

std::vector<std::string> words_of_either(std::vector<std::string> left,
                                         const std::vector<std::string>& right) {
  if (left.empty() || right.empty()) return {};
  for (const std::string& word : right) {
    // What has the longer of two words has the shorter one too, if that is in it.
    if (std::ranges::any_of(left, [&](const std::string& other) { return word.find(other) != word.npos; }))
      continue;
    std::erase_if(left, [&](const std::string& other) { return other.find(word) != other.npos; });
    left.push_back(word);
  }
  if (left.size() > most_needed_words) return {};
  return left;
}

std::vector<std::string> rarer_words(std::vector<std::string> left, const std::vector<std::string>& right) {
  if (left.empty()) return right;
  if (right.empty()) return left;
  // Bytes of the shortest word for each word of the list.
  const bool is_right = shortest(right) * left.size() > shortest(left) * right.size();
  return is_right ? right : left;
}

}  // namespace gsst::search
