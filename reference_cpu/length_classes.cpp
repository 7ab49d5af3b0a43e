#include "reference_cpu/length_classes.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "reference_cpu/sample.hpp"
#include "reference_cpu/sample_analysis.hpp"
#include "reference_cpu/size_measure.hpp"

namespace gsst::reference {
namespace {

using format::max_symbol_length;

using ClassCounts = std::array<std::size_t, max_symbol_length>;

// A symbol or a string that may become one, with what it saves.
struct Choice {
  Symbol symbol;
  std::int64_t saved;
};

// A total order: the same choice on every machine.
bool saves_more(const Choice& left, const Choice& right) {
  if (left.saved != right.saved) return left.saved > right.saved;
  return comes_before(left.symbol, right.symbol);
}

// More than anything saves: a symbol that must be there. A dictionary's worth of them still adds up.
constexpr std::int64_t must_be_held = std::numeric_limits<std::int64_t>::max() / (1 << 14);

// By length, those that save the most first.
using ChoicesByLength = std::array<std::vector<Choice>, max_symbol_length>;

// What the first `count` of `choices` save in as many places of the stored dictionary. A class is stored as a
// whole: each place that is left takes `unused`.
std::int64_t saved_by_first(const std::vector<Choice>& choices, std::size_t count, std::int64_t unused) {
  const std::size_t used = std::min(count, choices.size());
  std::int64_t saved = -unused * static_cast<std::int64_t>(count - used);
  for (std::size_t i = 0; i < used; ++i) saved += choices[i].saved;
  return saved;
}

// The classes of each length with which the most is saved, by dynamic programming over the lengths.
ClassCounts allocate(const ChoicesByLength& choices, const LengthClasses& classes,
                     const SizeMeasure& measure) {
  constexpr std::int64_t unreachable = std::numeric_limits<std::int64_t>::min() / 2;
  std::vector<std::int64_t> best(classes.class_count + 1, unreachable);
  best[0] = 0;
  std::array<std::vector<std::size_t>, max_symbol_length> taken;
  for (std::size_t length = 0; length < max_symbol_length; ++length) {
    std::vector<std::int64_t> next(best.size(), unreachable);
    taken[length].resize(best.size());
    for (std::size_t count = 0; count <= classes.class_count; ++count) {
      const std::int64_t saved =
          saved_by_first(choices[length], count * classes.class_codes, measure.of_stored(length + 1));
      for (std::size_t used = 0; used + count < best.size(); ++used) {
        if (best[used] == unreachable || best[used] + saved <= next[used + count]) continue;
        next[used + count] = best[used] + saved;
        taken[length][used + count] = count;
      }
    }
    best = std::move(next);
  }
  auto used = static_cast<std::size_t>(std::max_element(best.begin(), best.end()) - best.begin());
  ClassCounts counts{};
  for (std::size_t length = max_symbol_length; length-- > 0;) {
    counts[length] = taken[length][used];
    used -= counts[length];
  }
  return counts;
}

// The levels give 10-bit codes few rounds, enough to exchange symbols alone: classes that change with them
// need more to settle (4 rounds left some columns 0.8 % larger than fixed classes).
constexpr unsigned round_factor_10_bits = 3;

// Enough to choose the symbols of each length from.
std::size_t candidate_count(const Dictionary& dictionary) {
  return std::size_t{2} * dictionary.width.max_symbols();
}

class ClassedTrainer {
public:
  ClassedTrainer(const SampleAnalyser& analyser, const Dictionary& dictionary, std::uint64_t input_bytes,
                 const LengthClasses& classes, unsigned rounds, Parse parse, std::span<const Symbol> required)
      : required_(required),
        analyser_(analyser),
        measure_(dictionary.width, input_bytes, analyser.bytes()),
        classes_(classes),
        rounds_(rounds * (dictionary.width.bits == 10 ? round_factor_10_bits : 1)),
        parse_(parse),
        dictionary_(dictionary) {}

  // `unclassed` is the analysis of the dictionary without classes.
  ClassedDictionary train(const SampleAnalysis& unclassed) {
    const ChoicesByLength all = choices(unclassed);
    counts_ = allocate(all, classes_, measure_);
    fill(all);
    SampleAnalysis analysis = replace(is_wide() ? Classes::may_change : Classes::stay);
    while (!is_wide() && move_class(analysis)) {
    }
    return {.dictionary = std::move(dictionary_), .classes = counts_};
  }

private:
  enum class Classes { stay, may_change };

  // Thousands of symbols: many of them stand in the sample by chance, and trying the moves of classes one by
  // one takes seconds.
  bool is_wide() const { return dictionary_.width.bits > 8; }

  SampleAnalysis analyse() { return analyser_.analyse(dictionary_, candidate_count(dictionary_), parse_); }
  // The same if it is smaller than `size_before`.
  std::optional<SampleAnalysis> analyse_if_smaller(std::int64_t size_before) {
    return analyser_.analyse_if(dictionary_, candidate_count(dictionary_), parse_,
                                [&](std::uint64_t codes) { return size(codes) < size_before; });
  }

  // Classes are stored as a whole.
  std::int64_t size(std::uint64_t codes) const {
    std::uint64_t stored = 0;
    for (std::size_t length = 0; length < max_symbol_length; ++length) {
      stored += counts_[length] * classes_.class_codes * (length + 1);
    }
    return measure_.of_codes(codes) + measure_.of_stored(stored);
  }

  // The symbols and the candidates of an analysis, if they are worth their place.
  ChoicesByLength choices(const SampleAnalysis& analysis) const {
    ChoicesByLength all;
    const auto add = [&](const Symbol& symbol, std::uint64_t codes, std::uint64_t occurrences) {
      if (occurrences == 0) return;
      const std::int64_t saved =
          is_wide() ? measure_.expected_saved(codes, occurrences, symbol) : measure_.saved(codes, symbol);
      if (saved > 0) all[symbol.length - 1].push_back({.symbol = symbol, .saved = saved});
    };
    for (std::size_t i = 0; i < dictionary_.symbols.size(); ++i) {
      add(dictionary_.symbols[i], analysis.losses[i], analysis.uses[i]);
    }
    for (std::size_t i = 0; i < analysis.candidates.size(); ++i) {
      add(analysis.candidates[i].symbol, analysis.candidates[i].gain, analysis.candidate_occurrences[i]);
    }
    for (const Symbol& symbol : required_) {
      auto& same_length = all[symbol.length - 1];
      std::erase_if(same_length, [&](const Choice& choice) { return choice.symbol == symbol; });
      same_length.push_back({.symbol = symbol, .saved = must_be_held});
    }
    for (auto& choices : all) std::sort(choices.begin(), choices.end(), saves_more);
    return all;
  }

  // Of strings that are no symbols yet leaves the best `most` of each length.
  void limit_new(ChoicesByLength& all, std::size_t most) const {
    std::vector<Symbol> present = dictionary_.symbols;
    std::sort(present.begin(), present.end(), comes_before);
    for (auto& same_length : all) {
      std::size_t left = most;
      std::erase_if(same_length, [&](const Choice& choice) {
        if (choice.saved == must_be_held) return false;
        if (std::binary_search(present.begin(), present.end(), choice.symbol, comes_before)) return false;
        if (left == 0) return true;
        --left;
        return false;
      });
    }
  }

  // Gives each length its classes' best choices.
  void fill(const ChoicesByLength& all) {
    dictionary_.symbols.clear();
    for (std::size_t length = 0; length < max_symbol_length; ++length) {
      const std::size_t places = counts_[length] * classes_.class_codes;
      for (std::size_t i = 0; i < std::min(places, all[length].size()); ++i) {
        dictionary_.symbols.push_back(all[length][i].symbol);
      }
    }
  }

  // Replaces symbols by others, as many at a time as make the whole smaller: by others of their length if
  // classes stay. Answers what is left then.
  SampleAnalysis replace(Classes classes) {
    SampleAnalysis analysis = analyse();
    std::size_t most = classes_.class_codes;
    for (unsigned round = 0; round < rounds_ && most != 0; ++round) {
      std::vector<Symbol> symbols_before = dictionary_.symbols;
      const ClassCounts counts_before = counts_;
      const std::int64_t size_before = size(analysis.codes);
      ChoicesByLength all = choices(analysis);
      limit_new(all, most);
      if (classes == Classes::may_change) counts_ = allocate(all, classes_, measure_);
      fill(all);
      std::optional<SampleAnalysis> after = analyse_if_smaller(size_before);
      if (after) {
        analysis = std::move(*after);
      } else {
        dictionary_.symbols = std::move(symbols_before);
        counts_ = counts_before;
        most /= 2;
      }
    }
    return analysis;
  }

  // Gives a class of the length where it is worth the least to the one where it promises the most; false if
  // the whole does not become smaller. `analysis` is that of the dictionary, before and after.
  bool move_class(SampleAnalysis& analysis) {
    const std::int64_t size_before = size(analysis.codes);
    ChoicesByLength all = choices(analysis);
    const auto saved = [&](std::size_t length, std::size_t count) {
      return saved_by_first(all[length], count * classes_.class_codes, measure_.of_stored(length + 1));
    };
    std::int64_t most_gained = 0;
    std::pair<std::size_t, std::size_t> best_move;
    for (std::size_t from = 0; from < max_symbol_length; ++from) {
      if (counts_[from] == 0) continue;
      const std::int64_t lost = saved(from, counts_[from]) - saved(from, counts_[from] - 1);
      for (std::size_t to = 0; to < max_symbol_length; ++to) {
        const std::int64_t gained = saved(to, counts_[to] + 1) - saved(to, counts_[to]) - lost;
        if (to == from || gained <= most_gained) continue;
        most_gained = gained;
        best_move = {from, to};
      }
    }
    if (most_gained == 0) return false;

    const std::vector<Symbol> symbols_before = dictionary_.symbols;
    const ClassCounts counts_before = counts_;
    --counts_[best_move.first];
    ++counts_[best_move.second];
    limit_new(all, classes_.class_codes);
    fill(all);
    SampleAnalysis after = replace(Classes::stay);
    if (size(after.codes) < size_before) {
      analysis = std::move(after);
      return true;
    }
    dictionary_.symbols = symbols_before;
    counts_ = counts_before;
    return false;
  }

  std::span<const Symbol> required_;
  SampleAnalyser analyser_;
  SizeMeasure measure_;
  LengthClasses classes_;
  unsigned rounds_;
  Parse parse_;
  Dictionary dictionary_;
  ClassCounts counts_{};
};

}  // namespace

ClassTraining::ClassTraining(std::span<const std::uint8_t> input, CodeWidth width,
                             const TrainingEffort& effort, Parse parse, std::uint64_t seed)
    : input_bytes_(input.size()),
      effort_(effort),
      parse_(parse),
      analyser_(draw_sample(input, effort.sample_bytes, seed)),
      dictionary_(train_dictionary(analyser_, input_bytes_, width, effort, parse)),
      analysis_(analyser_.analyse(dictionary_, candidate_count(dictionary_), parse)) {}

ClassedDictionary ClassTraining::train(const LengthClasses& classes, std::span<const Symbol> required) const {
  return ClassedTrainer(analyser_, dictionary_, input_bytes_, classes, effort_.replacement_rounds, parse_,
                        required)
      .train(analysis_);
}

}  // namespace gsst::reference
