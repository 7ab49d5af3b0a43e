#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "reference_cpu/candidate.hpp"
#include "reference_cpu/dictionary.hpp"
#include "reference_cpu/parse.hpp"
#include "reference_cpu/sample_strings.hpp"
#include "reference_cpu/symbol_automaton.hpp"

namespace gsst::reference {

/// What a dictionary is worth on a sample.
struct SampleAnalysis {
  /// Codes of the sample's parse.
  std::uint64_t codes = 0;
  /// For each symbol the codes that the sample would take more without it.
  std::vector<std::uint64_t> losses;
  /// For each symbol how often the sample's parse takes it.
  std::vector<std::uint64_t> uses;
  /// Strings that occur more than once and would save the most as symbols, best first; gains in codes.
  std::vector<Candidate> candidates;
  /// For each candidate the places where it would save something.
  std::vector<std::uint64_t> candidate_occurrences;
};

/// Weighs dictionaries on one sample.
///
/// The optimal parse from both ends gives before(i), the codes for the bytes in front of i, and after(i),
/// those for the bytes from i on. A string at i that became a symbol would make the whole cost before(i) + 1
/// + after(i + length): what it saves there is exact, wherever the symbols of the present parse begin. In the
/// same way the best parse without a symbol that stands at i is the least before(j) + codes + after(k) over
/// everything else from j to k that covers the byte i. Only the sums over the sample are estimates:
/// occurrences that overlap are counted as if each were alone.
///
/// For the greedy parse, which keeps its boundaries, a string gains where it stands between two of them, and
/// a symbol's loss is what its own bytes cost without it.
class SampleAnalyser {
public:
  /// The bytes of `sample` must stay where they are.
  explicit SampleAnalyser(std::vector<std::span<const std::uint8_t>> sample);

  /// Sample bytes.
  std::size_t bytes() const { return bytes_; }

  /// The same dictionary and sample give the same answer on every machine. At most `candidate_count`
  /// candidates, each of which saves 2 codes or more.
  SampleAnalysis analyse(const Dictionary& dictionary, std::size_t candidate_count,
                         Parse parse = Parse::optimal);

  /// The same, but nothing where `is_enough` says no to the codes of the sample's parse: those are known
  /// after a third of the work.
  std::optional<SampleAnalysis> analyse_if(const Dictionary& dictionary, std::size_t candidate_count,
                                           Parse parse,
                                           const std::function<bool(std::uint64_t codes)>& is_enough);

  /// Codes of the sample's parse alone, several times faster. The optimal one goes on over the whole of each
  /// part of the sample.
  std::uint64_t count_codes(const Dictionary& dictionary, Parse parse = Parse::optimal) const;

private:
  // A part of the sample that is parsed by itself.
  struct Piece {
    std::span<const std::uint8_t> bytes;
    // Bytes of the pieces before it.
    std::size_t begin;
    // Where its costs are in before_ and after_.
    std::size_t first_cost;
  };
  // Where a code of the greedy parse ends and the next one begins, in the sample, and the codes in front of
  // it.
  struct Boundary {
    std::uint32_t position;
    std::uint32_t codes;
  };
  // A place where a string would save codes.
  struct Place {
    std::uint32_t string;
    std::uint32_t codes;
  };
  // What a string would save, and at how many places.
  struct StringGain {
    std::uint32_t codes = 0;
    std::uint32_t occurrences = 0;
  };

  unsigned parse(const Piece& piece, const SymbolAutomaton& automaton, unsigned literal_codes);
  void find_costs_before(const Piece& piece, unsigned literal_codes);
  unsigned best_without(const Piece& piece, std::size_t position, unsigned literal_codes) const;
  void walk(const Piece& piece, const SymbolAutomaton& automaton, unsigned literal_codes,
            SampleAnalysis& analysis);
  void walk_greedily(const Piece& piece, const SymbolAutomaton& automaton, unsigned literal_codes,
                     SampleAnalysis& analysis);
  void add_up(std::span<const Place> places);
  void find_gains(unsigned min_length);
  void find_gains_between_boundaries(unsigned min_length);
  void find_candidates(CodeWidth width, std::size_t count, Parse kind, SampleAnalysis& analysis);

  std::vector<std::span<const std::uint8_t>> sample_;
  std::vector<Piece> pieces_;
  std::size_t bytes_ = 0;
  std::size_t cost_count_ = 0;
  // For each position of each piece, its end included; made by the first analysis for the optimal parse.
  std::vector<std::int16_t> before_;
  std::vector<std::int16_t> after_;
  // For each byte of the sample the state, the lengths of the symbols that start there, and the one that the
  // optimal parse takes; made by the first analysis.
  std::vector<SymbolAutomaton::State> states_;
  std::vector<std::uint8_t> lengths_;
  std::vector<std::uint8_t> choices_;
  // Of the greedy parse.
  std::vector<Boundary> boundaries_;
  // Made when candidates are asked for; copies of the analyser share them.
  std::shared_ptr<const SampleStrings> strings_;
  // By the numbers of the strings.
  std::vector<StringGain> gains_;
};

}  // namespace gsst::reference
