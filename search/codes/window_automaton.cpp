#include "search/codes/window_automaton.hpp"

#include <algorithm>

namespace gsst::search::codes {

WindowAutomaton::WindowAutomaton(const Literal& literal, const Window& window)
    : window_(window.bytes), shorter_(window.bytes.size() + 1), next_(window.bytes.size()) {
  for (std::size_t state = 0; state < size(); ++state) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint8_t folded = literal.fold(static_cast<std::uint8_t>(byte));
      // Shorter states have their rows already.
      std::size_t to = state == 0 ? 0 : next_[shorter_[state]][byte];
      if (folded == window_[state]) to = state + 1;
      next_[state][byte] = static_cast<std::uint8_t>(to);
    }
    if (state != 0) shorter_[state + 1] = next_[shorter_[state]][window_[state]];
  }
}

std::size_t WindowAutomaton::after(std::span<const std::uint8_t> bytes) const {
  std::size_t state = 0;
  for (const std::uint8_t byte : bytes.last(std::min(bytes.size(), size() - 1))) state = next(state, byte);
  return state;
}

}  // namespace gsst::search::codes
