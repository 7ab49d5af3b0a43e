#include "search/word_finder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace gsst::search {
namespace {

using namespace std::string_view_literals;

constexpr unsigned word_seed = 20261130;

std::string random_bytes(std::mt19937& generator, std::string_view bytes, std::size_t count) {
  std::uniform_int_distribution<std::size_t> index(0, bytes.size() - 1);
  std::string text(count, '\0');
  for (char& byte : text) byte = bytes[index(generator)];
  return text;
}

std::string folded(std::string text) {
  for (char& byte : text) byte = byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + ('a' - 'A')) : byte;
  return text;
}

// Where the first word from `from` on begins.
std::optional<std::size_t> first_word(const std::vector<std::string>& words, std::string_view text,
                                      std::size_t from) {
  std::size_t first = std::string_view::npos;
  for (const std::string& word : words) first = std::min(first, text.find(word, from));
  return first == std::string_view::npos ? std::nullopt : std::optional(first);
}

bool is_one_of(const std::vector<std::string>& words, std::string_view text, std::size_t begin) {
  return std::ranges::any_of(words,
                             [&](const std::string& word) { return text.substr(begin).starts_with(word); });
}

std::vector<FindFingerprint*> all_instructions() {
  return {find_fingerprint_portable, fastest_find_fingerprint()};
}

TEST(WordFinder, FindsOneWordWhereASlowSearchDoes) {
  SCOPED_TRACE("seed " + std::to_string(word_seed));
  std::mt19937 generator(word_seed);
  for (int round = 0; round < 400; ++round) {
    const std::string text = random_bytes(generator, "ab\0\xffzZ\n"sv, 10 + generator() % 300);
    const std::string word = random_bytes(generator, "ab\0\xffzZ"sv, 1 + generator() % 5);
    for (FindFingerprint* const instructions : all_instructions()) {
      const WordFinder finder({word}, false, instructions);
      const WordFinder in_any_case({word}, true, instructions);
      for (std::size_t from = 0; from <= text.size(); ++from) {
        ASSERT_EQ(finder.find(text, from), first_word({word}, text, from)) << round << " from " << from;
        ASSERT_EQ(in_any_case.find(text, from), first_word({folded(word)}, folded(text), from))
            << round << " from " << from;
      }
    }
  }
}

TEST(WordFinder, FindsTheFirstLineWithAnyOfManyWords) {
  SCOPED_TRACE("seed " + std::to_string(word_seed));
  std::mt19937 generator(word_seed);
  for (int round = 0; round < 200; ++round) {
    const std::string text = random_bytes(generator, "abcdefghij\0\xff\n"sv, 400);
    std::vector<std::string> words;
    for (std::size_t count = 1 + generator() % 64; count > 0; --count) {
      words.push_back(random_bytes(generator, "abcdefghij\0\xff"sv, 1 + generator() % 6 + (round % 2) * 2));
    }
    for (FindFingerprint* const instructions : all_instructions()) {
      const WordFinder finder(words, false, instructions);
      for (std::size_t from = 0; from < text.size(); from += 1 + generator() % 7) {
        const auto expected = first_word(words, text, from);
        const auto found = finder.find(text, from);
        ASSERT_EQ(found.has_value(), expected.has_value()) << round << " from " << from;
        if (!found) continue;
        ASSERT_GE(*found, from);
        ASSERT_TRUE(is_one_of(words, text, *found)) << round << " from " << from;
        // In the same line.
        ASSERT_EQ(text.find('\n', *found), text.find('\n', *expected)) << round << " from " << from;
      }
    }
  }
}

TEST(WordFinder, FindsEveryByteAtEveryPlace) {
  for (int value = 0; value < 256; ++value) {
    if (value == '\n') continue;
    const std::string word(1, static_cast<char>(value));
    const WordFinder finder({word}, false);
    for (std::size_t place = 0; place < 80; ++place) {
      std::string text(80, value == 'x' ? 'y' : 'x');
      text[place] = word.front();
      EXPECT_EQ(finder.find(text, 0), place) << value;
      EXPECT_EQ(finder.find(text, place + 1), std::nullopt) << value;
    }
  }
}

TEST(WordFinder, FindsAWordOfFourThousandBytes) {
  std::mt19937 generator(word_seed);
  const std::string word = random_bytes(generator, "abcdefgh"sv, 4096);
  std::string nearly = word;
  nearly.back() = 'x';
  const std::string text = nearly + word + "\n" + word;
  const WordFinder finder({word}, false);
  EXPECT_EQ(finder.find(text, 0), word.size());
  EXPECT_EQ(finder.find(text, word.size() + 1), 2 * word.size() + 1);
  EXPECT_EQ(finder.find(text, 2 * word.size() + 2), std::nullopt);
}

}  // namespace
}  // namespace gsst::search
