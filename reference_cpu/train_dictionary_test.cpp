#include "reference_cpu/train_dictionary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reference_cpu/dbtext_test.hpp"
#include "reference_cpu/optimal_parse.hpp"
#include "reference_cpu/sample_analysis.hpp"
#include "reference_cpu/sampled_inputs_test.hpp"
#include "reference_cpu/size_measure.hpp"
#include "reference_cpu/test_inputs.hpp"

namespace gsst::reference {
namespace {

constexpr TrainingEffort small_effort = {
    .sample_bytes = std::size_t{16} << 10, .growth_steps = 8, .replacement_rounds = 8};

std::size_t occurrences(const Symbol& symbol, std::span<const std::uint8_t> input) {
  std::size_t count = 0;
  for (std::size_t i = 0; i + symbol.length <= input.size(); ++i) {
    bool stands_here = true;
    for (unsigned byte = 0; byte < symbol.length; ++byte)
      stands_here &= input[i + byte] == byte_of(symbol, byte);
    count += stands_here ? 1 : 0;
  }
  return count;
}

// What a string would save, and at how many places.
struct StringGain {
  std::uint64_t codes = 0;
  std::uint64_t occurrences = 0;
};

// A dictionary's greedy parse: at each position its longest symbol.
std::uint64_t greedy_codes(const Dictionary& dictionary, std::span<const std::uint8_t> input) {
  const SymbolAutomaton automaton(dictionary.symbols);
  std::vector<unsigned> lengths(input.size());
  SymbolAutomaton::State state = SymbolAutomaton::end();
  for (std::size_t i = input.size(); i-- > 0;) {
    state = automaton.step(state, input[i]);
    lengths[i] = static_cast<unsigned>(std::bit_width(automaton.lengths(state)));
  }
  std::uint64_t codes = 0;
  for (std::size_t i = 0; i < input.size(); i += std::max(lengths[i], 1u)) {
    codes += lengths[i] == 0 ? dictionary.width.literal_codes() : 1;
  }
  return codes;
}

// What SampleAnalysis promises is exact where a string stands once.
TEST(SampleAnalysis, SaysWhatOneSymbolMoreOrLessChanges) {
  for (const unsigned bits : {8u, 12u}) {
    std::size_t gains = 0;
    std::size_t losses = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      SCOPED_TRACE(std::to_string(bits) + " bits, seed " + std::to_string(seed));
      const std::vector<std::uint8_t> input = test::make_text(150, seed);
      Dictionary dictionary = train_dictionary(test::make_text(5000, seed + 100), CodeWidth{bits},
                                               small_effort, Parse::optimal, seed);
      dictionary.symbols.resize(std::min<std::size_t>(dictionary.symbols.size(), 60));
      // Twice, as what stands in a sample once is no candidate.
      SampleAnalyser analyser({input, input});
      const SampleAnalysis analysis = analyser.analyse(dictionary, 1000);
      ASSERT_EQ(analysis.codes, analyser.count_codes(dictionary));
      for (const Candidate& candidate : analysis.candidates) {
        if (occurrences(candidate.symbol, input) != 1) continue;
        Dictionary more = dictionary;
        more.symbols.push_back(candidate.symbol);
        EXPECT_EQ(analysis.codes - analyser.count_codes(more), candidate.gain);
        ++gains;
      }
      for (std::size_t i = 0; i < dictionary.symbols.size(); ++i) {
        const std::size_t found = occurrences(dictionary.symbols[i], input);
        if (found > 1) continue;
        Dictionary fewer = dictionary;
        fewer.symbols.erase(fewer.symbols.begin() + static_cast<std::ptrdiff_t>(i));
        EXPECT_EQ(analyser.count_codes(fewer) - analysis.codes, analysis.losses[i]);
        losses += found;
      }
    }
    EXPECT_GT(gains, 10u);
    EXPECT_GT(losses, 10u);
  }
}

TEST(SampleAnalysis, CountsLongInputsAsAWhole) {
  const std::vector<std::uint8_t> input = test::make_text(3 * 4096 + 5, 3);
  const Dictionary dictionary = train_dictionary(input, CodeWidth{8}, small_effort);
  const std::span<const std::uint8_t> whole = input;
  const std::uint64_t codes = SampleAnalyser({whole}).count_codes(dictionary);
  // Two pieces take at most one code more than the whole.
  const std::uint64_t pieces =
      SampleAnalyser({whole.first(5000), whole.subspan(5000)}).count_codes(dictionary);
  EXPECT_GE(pieces, codes);
  EXPECT_LE(pieces, codes + 2);
}

// The fewest codes for the bytes of symbol `index` with the other symbols of `dictionary`.
std::uint64_t codes_without(const Dictionary& dictionary, std::size_t index) {
  const Symbol whole = dictionary.symbols[index];
  std::vector<std::uint64_t> fewest(whole.length + 1);
  for (unsigned i = whole.length; i-- > 0;) {
    fewest[i] = dictionary.width.literal_codes() + fewest[i + 1];
    for (const Symbol& symbol : dictionary.symbols) {
      if (symbol == whole || symbol.length > whole.length - i) continue;
      if (first_bytes(whole.bytes >> (8 * i), symbol.length) != symbol.bytes) continue;
      fewest[i] = std::min(fewest[i], 1 + fewest[i + symbol.length]);
    }
  }
  return fewest[0];
}

// Short pieces, too: no string crosses from one to the next.
TEST(SampleAnalysis, OfTheGreedyParseSaysWhatStringsBetweenBoundariesSave) {
  const std::vector<std::uint8_t> text = test::make_text(1200, 9);
  const std::span<const std::uint8_t> whole(text);
  const std::vector<std::span<const std::uint8_t>> pieces = {whole.first(3), whole.subspan(3, 700),
                                                             whole.subspan(703, 5), whole.subspan(708)};
  for (const unsigned bits : {8u, 12u}) {
    SCOPED_TRACE(std::to_string(bits) + " bits");
    Dictionary dictionary =
        train_dictionary(test::make_text(5000, 10), CodeWidth{bits}, small_effort, Parse::greedy);
    dictionary.symbols.resize(std::min<std::size_t>(dictionary.symbols.size(), 12));
    const SymbolAutomaton automaton(dictionary.symbols);
    std::map<std::pair<unsigned, std::uint64_t>, StringGain> gains;
    std::vector<std::uint64_t> uses(dictionary.symbols.size());
    for (const std::span<const std::uint8_t> piece : pieces) {
      std::vector<SymbolAutomaton::State> states(piece.size());
      find_states(automaton, piece, 0, states);
      std::vector<std::size_t> boundaries = {0};
      std::vector<std::uint64_t> codes = {0};
      while (boundaries.back() < piece.size()) {
        const SymbolAutomaton::State state = states[boundaries.back()];
        const auto length = static_cast<unsigned>(std::bit_width(automaton.lengths(state)));
        if (length != 0) ++uses[automaton.symbol(state, length)];
        codes.push_back(codes.back() + (length == 0 ? dictionary.width.literal_codes() : 1));
        boundaries.push_back(boundaries.back() + std::max(length, 1u));
      }
      for (std::size_t begin = 0; begin < boundaries.size(); ++begin) {
        for (std::size_t end = begin + 1; end < boundaries.size(); ++end) {
          const std::size_t length = boundaries[end] - boundaries[begin];
          if (length > 8 || codes[end] - codes[begin] < 2) continue;
          std::uint64_t bytes = 0;
          for (std::size_t i = 0; i < length; ++i)
            bytes |= std::uint64_t{piece[boundaries[begin] + i]} << (8 * i);
          StringGain& gain = gains[{static_cast<unsigned>(length), bytes}];
          gain.codes += codes[end] - codes[begin] - 1;
          ++gain.occurrences;
        }
      }
    }

    SampleAnalyser analyser(pieces);
    const SampleAnalysis analysis = analyser.analyse(dictionary, 100000, Parse::greedy);
    EXPECT_EQ(analysis.uses, uses);
    for (std::size_t i = 0; i < uses.size(); ++i)
      EXPECT_EQ(analysis.losses[i], uses[i] * (codes_without(dictionary, i) - 1));
    std::size_t certain = 0;
    for (const auto& [string, gain] : gains) certain += gain.occurrences > 1 && gain.codes > 1 ? 1 : 0;
    std::size_t found = 0;
    for (std::size_t i = 0; i < analysis.candidates.size(); ++i) {
      const Candidate& candidate = analysis.candidates[i];
      const StringGain& gain = gains[{candidate.symbol.length, candidate.symbol.bytes}];
      EXPECT_EQ(candidate.gain, gain.codes);
      EXPECT_EQ(analysis.candidate_occurrences[i], gain.occurrences);
      found += gain.occurrences > 1 ? 1 : 0;
    }
    EXPECT_GT(certain, 20u);
    EXPECT_EQ(found, certain);
  }
}

// The greedy parse of a sample ends with each piece, for which greedy_codes() is asked here.
TEST(SampleAnalysis, CountsTheGreedyParse) {
  const std::vector<std::uint8_t> input = test::make_text(parse_segment_bytes + 300, 6);
  const std::span<const std::uint8_t> whole = input;
  const Dictionary dictionary = train_dictionary(test::make_text(5000, 7), CodeWidth{8}, small_effort);
  SampleAnalyser analyser({whole});
  const std::uint64_t codes = greedy_codes(dictionary, whole.first(parse_segment_bytes)) +
                              greedy_codes(dictionary, whole.subspan(parse_segment_bytes));
  EXPECT_EQ(analyser.count_codes(dictionary, Parse::greedy), codes);
  EXPECT_EQ(analyser.analyse(dictionary, 0, Parse::greedy).codes, codes);
}

TEST(SampleAnalysis, IsTheSameWithAndWithoutACondition) {
  const std::vector<std::uint8_t> input = test::make_text(3000, 4);
  const Dictionary dictionary = train_dictionary(test::make_text(5000, 5), CodeWidth{8}, small_effort);
  for (const Parse parse : {Parse::greedy, Parse::optimal}) {
    SampleAnalyser analyser({input});
    const SampleAnalysis always = analyser.analyse(dictionary, 50, parse);
    const auto is_fewer_than = [](std::uint64_t limit) {
      return [limit](std::uint64_t codes) { return codes < limit; };
    };
    EXPECT_FALSE(analyser.analyse_if(dictionary, 50, parse, is_fewer_than(always.codes)));
    const auto fewer = analyser.analyse_if(dictionary, 50, parse, is_fewer_than(always.codes + 1));
    ASSERT_TRUE(fewer);
    EXPECT_EQ(fewer->codes, always.codes);
    EXPECT_EQ(fewer->losses, always.losses);
    EXPECT_EQ(fewer->candidate_occurrences, always.candidate_occurrences);
  }
}

TEST(TrainDictionary, GivesNothingForAnEmptyInput) {
  for (const unsigned bits : {8u, 10u, 12u}) {
    EXPECT_TRUE(train_dictionary({}, CodeWidth{bits}, small_effort).symbols.empty());
  }
}

TEST(TrainDictionary, StaysWithinItsSizeAndHasEachSymbolOnce) {
  const std::vector<std::uint8_t> text = test::make_mixed(100000, 11);
  for (const unsigned bits : {8u, 9u, 10u, 11u, 12u}) {
    const CodeWidth width{bits};
    const Dictionary dictionary = train_dictionary(text, width, small_effort);
    EXPECT_EQ(dictionary.width, width);
    EXPECT_FALSE(dictionary.symbols.empty());
    EXPECT_LE(dictionary.symbols.size(), width.max_symbols());
    std::vector<Symbol> symbols = dictionary.symbols;
    std::sort(symbols.begin(), symbols.end(), comes_before);
    EXPECT_EQ(std::adjacent_find(symbols.begin(), symbols.end()), symbols.end());
    for (const Symbol& symbol : symbols) {
      EXPECT_GE(symbol.length, width.min_symbol_length());
      EXPECT_LE(symbol.length, format::max_symbol_length);
      EXPECT_EQ(symbol.bytes, first_bytes(symbol.bytes, symbol.length));
    }
  }
}

TEST(TrainDictionary, TakesLessWithItsSymbolsThanWithoutAny) {
  for (const test::NamedInput& input : test::sampled_awkward_inputs()) {
    if (input.bytes.size() > small_effort.sample_bytes) continue;
    for (const unsigned bits : {8u, 12u}) {
      SCOPED_TRACE(input.name + ", " + std::to_string(bits) + " bits");
      const SampleAnalyser analyser({input.bytes});
      const SizeMeasure measure(CodeWidth{bits}, input.bytes.size(), input.bytes.size());
      const Dictionary empty{.width = CodeWidth{bits}, .symbols = {}};
      const Dictionary trained = train_dictionary(input.bytes, CodeWidth{bits}, small_effort);
      EXPECT_LE(measure.of(trained, analyser.count_codes(trained)),
                measure.of(empty, analyser.count_codes(empty)));
    }
  }
}

TEST(TrainDictionary, ForTheGreedyParseIsBetterForIt) {
  const auto columns = test::dbtext_columns();
  if (!columns.contains("l_comment")) GTEST_SKIP() << test::dbtext_is_missing;
  const auto text = test::read_file(columns.at("l_comment"));
  const auto training = std::span(text).first(text.size() / 2);
  const auto held_out = std::span(text).subspan(text.size() / 2);
  constexpr TrainingEffort effort = {
      .sample_bytes = std::size_t{64} << 10, .growth_steps = 16, .replacement_rounds = 16};
  const Dictionary optimal = train_dictionary(training, CodeWidth{8}, effort, Parse::optimal);
  const Dictionary greedy = train_dictionary(training, CodeWidth{8}, effort, Parse::greedy);
  EXPECT_LT(greedy_codes(greedy, held_out), greedy_codes(optimal, held_out));
}

TEST(TrainDictionary, GivesTheSameAgainAndAnotherForAnotherSeed) {
  const std::vector<std::uint8_t> text = test::make_mixed(200000, 4);
  const Dictionary dictionary = train_dictionary(text, CodeWidth{8}, small_effort);
  EXPECT_EQ(dictionary.symbols, train_dictionary(text, CodeWidth{8}, small_effort).symbols);
  EXPECT_NE(
      dictionary.symbols,
      train_dictionary(text, CodeWidth{8}, small_effort, Parse::optimal, default_training_seed + 1).symbols);
}

}  // namespace
}  // namespace gsst::reference
