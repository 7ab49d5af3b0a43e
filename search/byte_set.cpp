#include "search/byte_set.hpp"

#include <array>
#include <cstddef>
#include <cstdio>

namespace gsst::search {
namespace {

ByteSet make_word_bytes() {
  ByteSet set;
  for (int byte = '0'; byte <= '9'; ++byte) set.set(static_cast<std::size_t>(byte));
  for (int byte = 'A'; byte <= 'Z'; ++byte) set.set(static_cast<std::size_t>(byte));
  for (int byte = 'a'; byte <= 'z'; ++byte) set.set(static_cast<std::size_t>(byte));
  set.set('_');
  return set;
}

const ByteSet& ascii_bytes() {
  static const ByteSet set = ~(~ByteSet() << 128);
  return set;
}

std::string escape(std::size_t byte) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "\\x{%02x}", static_cast<unsigned>(byte));
  return text.data();
}

}  // namespace

ByteSet set_of(std::uint8_t byte) {
  ByteSet set;
  set.set(byte);
  return set;
}

const ByteSet& word_bytes() {
  static const ByteSet set = make_word_bytes();
  return set;
}

const ByteSet& line_bytes() {
  static const ByteSet set = ~set_of('\n');
  return set;
}

ByteSet with_both_cases(const ByteSet& set) {
  ByteSet both = set;
  for (std::size_t upper = 'A'; upper <= 'Z'; ++upper) {
    const std::size_t lower = upper + ('a' - 'A');
    if (set[upper]) both.set(lower);
    if (set[lower]) both.set(upper);
  }
  return both;
}

bool is_subset(const ByteSet& part, const ByteSet& whole) {
  return (part & ~whole).none();
}

std::string expression_of(const ByteSet& set) {
  if (set.none()) return "[^\\x{00}-\\x{ff}]";
  std::string text;
  for (std::size_t begin = 0; begin < set.size(); ++begin) {
    if (!set[begin]) continue;
    std::size_t end = begin + 1;
    while (end < set.size() && set[end]) ++end;
    text += escape(begin);
    if (end - begin > 1) text += "-" + escape(end - 1);
    begin = end;
  }
  if (set.count() > 1) return "[" + text + "]";
  // Alternatives that start with equal strings are searched by these first. RE2 20220601 looks for the UTF-8
  // of them even with Latin-1; bytes in groups are no part of such strings.
  return (set & ascii_bytes()).none() ? "(" + text + ")" : text;
}

}  // namespace gsst::search
