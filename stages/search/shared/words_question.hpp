#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gsst::search::kernels {

/// Most words of a question.
inline constexpr std::uint32_t most_words = 16;

/// Strings to find, any of them: what a stage that searches for several is asked.
struct WordsQuestion {
  /// One to most_words, none of them empty; each may have any bytes.
  std::vector<std::string> words;
  /// Whether letters of ASCII match in both cases.
  bool ignore_case = false;
};

namespace detail {

/// What a question of several words begins with.
inline constexpr std::string_view words_begin{"\0gsst words\0", 12};

}  // namespace detail

/// The question, as stage::QuerySubject has it. Throws std::invalid_argument for a word of more than 65535
/// bytes.
inline std::string words_question(const WordsQuestion& question) {
  std::string text(detail::words_begin);
  text += question.ignore_case ? '\1' : '\0';
  for (const std::string& word : question.words) {
    if (word.size() > 0xffff) throw std::invalid_argument("a word has more than 65535 bytes");
    text += static_cast<char>(word.size() & 0xff);
    text += static_cast<char>(word.size() >> 8);
    text += word;
  }
  return text;
}

/// What `text` asks: what words_question() has made, and anything else is one word. Throws
/// std::invalid_argument for words that are cut short.
inline WordsQuestion read_words_question(std::string_view text) {
  if (!text.starts_with(detail::words_begin)) {
    return {.words = {std::string(text)}, .ignore_case = false};
  }
  std::string_view rest = text.substr(detail::words_begin.size());
  WordsQuestion question{.words = {}, .ignore_case = rest.starts_with('\1')};
  if (!rest.empty()) rest.remove_prefix(1);
  while (!rest.empty()) {
    if (rest.size() < 2) throw std::invalid_argument("a question of words is cut short");
    const std::size_t bytes =
        static_cast<std::uint8_t>(rest[0]) | std::size_t{static_cast<std::uint8_t>(rest[1])} << 8;
    rest.remove_prefix(2);
    if (rest.size() < bytes) throw std::invalid_argument("a question of words is cut short");
    question.words.emplace_back(rest.substr(0, bytes));
    rest.remove_prefix(bytes);
  }
  return question;
}

}  // namespace gsst::search::kernels
