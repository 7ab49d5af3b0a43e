#include "reference_cpu/train_dictionary.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "reference_cpu/sample.hpp"
#include "reference_cpu/sample_analysis.hpp"
#include "reference_cpu/size_measure.hpp"

namespace gsst::reference {
namespace {

class DictionaryTrainer {
public:
  DictionaryTrainer(SampleAnalyser& analyser, std::uint64_t input_bytes, CodeWidth width,
                    const TrainingEffort& effort, Parse parse)
      : analyser_(analyser),
        measure_(width, input_bytes, analyser.bytes()),
        effort_(effort),
        parse_(parse),
        largest_(width.max_symbols()),
        step_(std::max<std::size_t>(1, largest_ / effort.growth_steps)) {
    dictionary_.width = width;
  }

  Dictionary train() {
    grow();
    shrink();
    replace();
    return std::move(dictionary_);
  }

private:
  // What a symbol of the dictionary saves.
  std::int64_t saved(const SampleAnalysis& analysis, std::size_t index) const {
    return measure_.saved(analysis.losses[index], dictionary_.symbols[index]);
  }
  std::int64_t saved(const Candidate& candidate) const {
    return measure_.saved(candidate.gain, candidate.symbol);
  }

  // The symbols that save the least come first.
  std::vector<std::size_t> worst_first(const SampleAnalysis& analysis) const {
    std::vector<std::size_t> order(dictionary_.symbols.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
      const std::int64_t saved_left = saved(analysis, left);
      const std::int64_t saved_right = saved(analysis, right);
      if (saved_left != saved_right) return saved_left < saved_right;
      return comes_before(dictionary_.symbols[right], dictionary_.symbols[left]);
    });
    return order;
  }

  // The best strings of a round are much alike, and make each other useless; what comes in steps beyond the
  // largest size leaves a choice of what to keep.
  void grow() {
    const std::size_t most = largest_ + largest_ / 4;
    // Symbols that no longer pay leave again: without a bound on the rounds they might come and go for ever.
    for (unsigned round = 0; round < 3 * effort_.growth_steps && dictionary_.symbols.size() < most; ++round) {
      const SampleAnalysis analysis = analyser_.analyse(dictionary_, step_, parse_);
      std::vector<Symbol> symbols;
      for (std::size_t i = 0; i < dictionary_.symbols.size(); ++i) {
        if (saved(analysis, i) > 0) symbols.push_back(dictionary_.symbols[i]);
      }
      const std::size_t kept = symbols.size();
      for (const Candidate& candidate : analysis.candidates) {
        if (symbols.size() < most && saved(candidate) > 0) symbols.push_back(candidate.symbol);
      }
      const bool has_grown = symbols.size() > kept;
      dictionary_.symbols = std::move(symbols);
      if (!has_grown) break;
    }
  }

  // The worst symbols leave step by step: where one leaves, others become worth more.
  void shrink() {
    while (true) {
      const SampleAnalysis analysis = analyser_.analyse(dictionary_, 0, parse_);
      const std::vector<std::size_t> order = worst_first(analysis);
      const std::size_t excess = order.size() - std::min(order.size(), largest_);
      std::size_t leaving = 0;
      while (leaving < order.size() && leaving < step_ &&
             (leaving < excess || saved(analysis, order[leaving]) <= 0)) {
        ++leaving;
      }
      if (leaving == 0) break;
      remove(std::span(order).first(leaving));
    }
  }

  // Exchanges the worst symbols for the best strings, as many at a time as make the whole smaller.
  void replace() {
    std::size_t most = std::max<std::size_t>(1, largest_ / 8);
    SampleAnalysis analysis = analyser_.analyse(dictionary_, most, parse_);
    for (unsigned round = 0; round < effort_.replacement_rounds && most != 0; ++round) {
      Dictionary before = dictionary_;
      if (!exchange(analysis, most)) break;
      const std::int64_t size_before = measure_.of(before, analysis.codes);
      std::optional<SampleAnalysis> after = analyser_.analyse_if(
          dictionary_, most, parse_,
          [&](std::uint64_t codes) { return measure_.of(dictionary_, codes) < size_before; });
      if (after) {
        analysis = std::move(*after);
      } else {
        dictionary_ = std::move(before);
        most /= 2;
      }
    }
  }

  // Exchanges at most `most` symbols; false if nothing is worth it.
  bool exchange(const SampleAnalysis& analysis, std::size_t most) {
    const std::vector<std::size_t> order = worst_first(analysis);
    std::size_t free = largest_ - dictionary_.symbols.size();
    std::size_t leaving = 0;
    std::vector<Symbol> coming;
    for (const Candidate& candidate : analysis.candidates) {
      if (coming.size() == most || saved(candidate) <= 0) break;
      if (free > 0) {
        --free;
      } else if (leaving < order.size() && saved(candidate) > saved(analysis, order[leaving])) {
        ++leaving;
      } else {
        break;
      }
      coming.push_back(candidate.symbol);
    }
    remove(std::span(order).first(leaving));
    dictionary_.symbols.insert(dictionary_.symbols.end(), coming.begin(), coming.end());
    return !coming.empty();
  }

  void remove(std::span<const std::size_t> indices) {
    for (const std::size_t index : indices) dictionary_.symbols[index].length = 0;
    std::erase_if(dictionary_.symbols, [](const Symbol& symbol) { return symbol.length == 0; });
  }

  SampleAnalyser& analyser_;
  SizeMeasure measure_;
  TrainingEffort effort_;
  Parse parse_;
  std::size_t largest_;
  std::size_t step_;
  Dictionary dictionary_;
};

}  // namespace

Dictionary train_dictionary(std::span<const std::uint8_t> input, CodeWidth width,
                            const TrainingEffort& effort, Parse parse, std::uint64_t seed) {
  SampleAnalyser analyser(draw_sample(input, effort.sample_bytes, seed));
  return train_dictionary(analyser, input.size(), width, effort, parse);
}

Dictionary train_dictionary(SampleAnalyser& analyser, std::uint64_t input_bytes, CodeWidth width,
                            const TrainingEffort& effort, Parse parse) {
  return DictionaryTrainer(analyser, input_bytes, width, effort, parse).train();
}

}  // namespace gsst::reference
