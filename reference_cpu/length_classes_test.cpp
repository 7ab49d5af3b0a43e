#include "reference_cpu/length_classes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "reference_cpu/sample_analysis.hpp"
#include "reference_cpu/test_inputs.hpp"

namespace gsst::reference {
namespace {

constexpr TrainingEffort short_training = {
    .sample_bytes = std::size_t{16} << 10, .growth_steps = 8, .replacement_rounds = 8};

struct WidthAndClasses {
  CodeWidth width;
  LengthClasses classes;
};

// 8 bits with escapes; wider codes, whose literals fill the first 256 codes.
const std::vector<WidthAndClasses>& widths() {
  static const std::vector<WidthAndClasses> all = {{CodeWidth{8}, {.class_codes = 16, .class_count = 14}},
                                                   {CodeWidth{10}, {.class_codes = 64, .class_count = 12}},
                                                   {CodeWidth{12}, {.class_codes = 256, .class_count = 15}}};
  return all;
}

void expect_within_classes(const ClassedDictionary& trained, const LengthClasses& classes) {
  EXPECT_LE(std::accumulate(trained.classes.begin(), trained.classes.end(), std::size_t{0}),
            classes.class_count);
  std::array<std::size_t, format::max_symbol_length> counts{};
  for (const Symbol& symbol : trained.dictionary.symbols) ++counts.at(symbol.length - 1);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    EXPECT_LE(counts[i], trained.classes[i] * classes.class_codes) << "length " << i + 1;
  }
  std::vector<Symbol> symbols = trained.dictionary.symbols;
  std::sort(symbols.begin(), symbols.end(), comes_before);
  EXPECT_EQ(std::adjacent_find(symbols.begin(), symbols.end()), symbols.end());
}

TEST(LengthClasses, HoldForEveryKindOfInput) {
  for (const auto& [width, classes] : widths()) {
    for (const auto& input : {std::vector<std::uint8_t>(), test::make_text(9000, 3),
                              test::make_mixed(9000, 4), std::vector<std::uint8_t>(5000, 0xff)}) {
      SCOPED_TRACE(std::to_string(width.bits) + " bits, " + std::to_string(input.size()) + " bytes");
      expect_within_classes(ClassTraining(input, width, short_training).train(classes), classes);
    }
  }
}

// All kinds of bytes, which need many short symbols and many long ones.
TEST(LengthClasses, CostLessThanAFifth) {
  const auto training = test::make_mixed(60000, 3);
  for (const auto& [width, classes] : widths()) {
    SCOPED_TRACE(std::to_string(width.bits) + " bits");
    const SampleAnalyser analyser({training});
    const std::uint64_t codes = analyser.count_codes(train_dictionary(training, width, short_training));
    const ClassedDictionary classed = ClassTraining(training, width, short_training).train(classes);
    EXPECT_LE(analyser.count_codes(classed.dictionary), codes + codes / 5);
  }
}

TEST(LengthClasses, HoldWhatIsRequired) {
  const auto text = test::make_mixed(30000, 5);
  std::vector<Symbol> required;
  for (std::uint64_t byte = 0; byte < 100; ++byte) required.push_back({.bytes = 2 * byte, .length = 1});
  const LengthClasses classes{.class_codes = 16, .class_count = 16};
  const ClassedDictionary trained =
      ClassTraining(text, CodeWidth{8}, short_training, Parse::optimal).train(classes, required);
  expect_within_classes(trained, classes);
  for (const Symbol& symbol : required) {
    EXPECT_EQ(std::count(trained.dictionary.symbols.begin(), trained.dictionary.symbols.end(), symbol), 1)
        << symbol.bytes;
  }
}

TEST(LengthClasses, GiveTheSameAgain) {
  const auto text = test::make_mixed(40000, 4);
  const auto& [width, classes] = widths()[0];
  const ClassedDictionary first = ClassTraining(text, width, short_training).train(classes);
  const ClassedDictionary second = ClassTraining(text, width, short_training).train(classes);
  EXPECT_EQ(first.dictionary.symbols, second.dictionary.symbols);
  EXPECT_EQ(first.classes, second.classes);
}

}  // namespace
}  // namespace gsst::reference
