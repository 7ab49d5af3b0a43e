#include "reference_cpu/sample_strings.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "reference_cpu/test_inputs.hpp"

namespace gsst::reference {
namespace {

// Three byte values, 0 among them: strings that are parts of each other, and pieces that end alike.
TEST(SampleStrings, NumbersEachStringThatOccursTwice) {
  std::vector<std::uint8_t> input = test::make_random(600, 5);
  for (std::uint8_t& byte : input) byte %= 3;
  const std::span<const std::uint8_t> whole = input;
  const std::vector<std::span<const std::uint8_t>> pieces = {whole.first(250), whole.subspan(250, 3),
                                                             whole.subspan(253)};
  std::map<std::string, unsigned> occurrences;
  const auto for_each_string = [&](const auto& visit) {
    std::size_t begin = 0;
    for (const auto piece : pieces) {
      for (std::size_t i = 0; i < piece.size(); ++i) {
        for (unsigned length = 1; length <= 8 && i + length <= piece.size(); ++length) {
          const auto bytes = piece.subspan(i, length);
          visit(std::string(bytes.begin(), bytes.end()), begin + i, length);
        }
      }
      begin += piece.size();
    }
  };
  for_each_string([&](const std::string& string, std::size_t, unsigned) { ++occurrences[string]; });
  const SampleStrings strings(pieces);
  unsigned once = 0;
  for_each_string([&](const std::string& string, std::size_t position, unsigned length) {
    const std::uint32_t number = strings.at(position)[length - 1];
    EXPECT_EQ((strings.repeated(position) >> (length - 1) & 1) != 0, number != SampleStrings::occurs_once);
    if (number == SampleStrings::occurs_once) {
      EXPECT_EQ(occurrences[string], 1u) << "position " << position << ", length " << length;
      ++once;
      return;
    }
    ASSERT_LT(number, strings.count());
    const Symbol& symbol = strings[number];
    ASSERT_EQ(symbol.length, length);
    for (unsigned i = 0; i < length; ++i) {
      EXPECT_EQ(byte_of(symbol, i), static_cast<std::uint8_t>(string[i]));
    }
  });
  EXPECT_GT(once, 100u);
  // No string crosses the end of a piece.
  EXPECT_EQ(strings.repeated(249) & ~0x1u, 0u);
  EXPECT_EQ(strings.repeated(251) & ~0x3u, 0u);
}

}  // namespace
}  // namespace gsst::reference
