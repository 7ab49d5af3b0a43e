#include "search/codes/words_automaton.hpp"

#include <algorithm>

namespace gsst::search::codes {
namespace {

bool ends_with(std::span<const std::uint8_t> bytes, std::span<const std::uint8_t> end) {
  return bytes.size() >= end.size() && std::ranges::equal(bytes.last(end.size()), end);
}

}  // namespace

WordsAutomaton::WordsAutomaton(std::span<const Literal> words, std::span<const Window> windows) {
  for (std::size_t byte = 0; byte < folded_.size(); ++byte) {
    folded_[byte] = words.front().fold(static_cast<std::uint8_t>(byte));
  }
  for (const Window& window : windows) windows_.push_back(window.bytes);
  for (const Bytes& window : windows_) add_states(window);
  next_.resize(size());
  for (std::size_t state = 0; state < size(); ++state) {
    longest_ = std::max(longest_, states_[state].size());
    for (std::size_t byte = 0; byte < folded_.size(); ++byte) {
      Bytes bytes = states_[state];
      bytes.push_back(folded_[byte]);
      next_[state][byte] = static_cast<std::uint8_t>(ends_with_window(bytes) ? size() : longest_state(bytes));
    }
  }
}

// The starts of `window`, up to one that ends with another window: the search has found that by then.
void WordsAutomaton::add_states(const Bytes& window) {
  for (std::size_t count = 1; count < window.size(); ++count) {
    const Bytes start(window.begin(), window.begin() + static_cast<std::ptrdiff_t>(count));
    if (ends_with_window(start)) return;
    if (std::ranges::find(states_, start) == states_.end()) states_.push_back(start);
  }
}

bool WordsAutomaton::ends_with_window(const Bytes& bytes) const {
  return std::ranges::any_of(windows_, [&](const Bytes& window) { return ends_with(bytes, window); });
}

std::size_t WordsAutomaton::longest_state(std::span<const std::uint8_t> bytes) const {
  std::size_t longest = 0;
  for (std::size_t state = 1; state < size(); ++state) {
    if (states_[state].size() > states_[longest].size() && ends_with(bytes, states_[state])) longest = state;
  }
  return longest;
}

std::size_t WordsAutomaton::after(std::span<const std::uint8_t> bytes) const {
  Bytes last;
  for (const std::uint8_t byte : bytes.last(std::min(bytes.size(), longest_))) last.push_back(folded_[byte]);
  return longest_state(last);
}

}  // namespace gsst::search::codes
