#include "reference_cpu/sample_analysis.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "reference_cpu/optimal_parse.hpp"
#include "reference_cpu/symbol_matcher.hpp"

namespace gsst::reference {
namespace {

using Matches = SymbolAutomaton::Matches;
using format::max_symbol_length;

// A piece's costs are not counted from 0 again, and fit 16 bits.
static_assert(2 * parse_segment_bytes < 1u << 15);
constexpr std::uint16_t unknown_cost = 1u << 15;
// More than any cost: nothing gains where the greedy parse has no boundary.
constexpr std::uint16_t no_boundary = unknown_cost - 1;

// Bit n of the answer says whether costs[n] < limit, for four costs below 2^15: a comparison for each would
// be mispredicted at every other position.
unsigned lanes_below(const std::uint16_t* costs, unsigned limit) {
  std::uint64_t lanes = 0;
  std::memcpy(&lanes, costs, sizeof lanes);
  constexpr std::uint64_t ones = 0x0001000100010001;
  constexpr std::uint64_t top_bits = ones << 15;
  const std::uint64_t below = ~((lanes | top_bits) - limit * ones) & top_bits;
  // Bits 15, 31, 47 and 63 to bits 60 to 63.
  return static_cast<unsigned>((below >> 15) * 0x1000200040008000 >> 60);
}

// The least codes that the whole of a piece takes if the byte at `position` is covered by anything but what
// `matches[position]` holds at `taken`.
unsigned best_without(std::span<const Matches* const> matches, const std::uint16_t* before,
                      const std::uint16_t* after, std::size_t position, unsigned taken,
                      unsigned literal_codes) {
  unsigned best = before[position] + literal_codes + after[position + 1];
  const std::size_t first = position - std::min<std::size_t>(position, max_symbol_length - 1);
  for (std::size_t start = first; start <= position; ++start) {
    const Matches& found = *matches[start];
    // Longest first: the others end in front of `position`.
    for (unsigned k = 0; k < found.count && start + found.lengths[k] > position; ++k) {
      if (start == position && k == taken) continue;
      best = std::min(best, before[start] + 1u + after[start + found.lengths[k]]);
    }
  }
  return best;
}

// The least codes for the bytes of the symbol that is the longest match at the first of `matches`, which has
// an entry for each of its bytes, without that symbol.
unsigned cost_of_own_bytes(std::span<const Matches* const> matches, unsigned literal_codes) {
  std::array<unsigned, max_symbol_length + 1> costs{};
  for (std::size_t i = matches.size(); i-- > 0;) {
    costs[i] = literal_codes + costs[i + 1];
    const Matches& found = *matches[i];
    for (unsigned k = i == 0 ? 1 : 0; k < found.count; ++k) {
      if (i + found.lengths[k] <= matches.size())
        costs[i] = std::min(costs[i], 1 + costs[i + found.lengths[k]]);
    }
  }
  return costs[0];
}

}  // namespace

SampleAnalyser::SampleAnalyser(std::vector<std::span<const std::uint8_t>> sample)
    : sample_(std::move(sample)), matches_(parse_segment_bytes), choices_(parse_segment_bytes) {
  std::size_t costs = 0;
  for (std::span<const std::uint8_t> chunk : sample_) {
    bytes_ += chunk.size();
    while (!chunk.empty()) {
      const auto bytes = chunk.first(std::min(chunk.size(), parse_segment_bytes));
      pieces_.push_back({.bytes = bytes, .begin = costs - pieces_.size(), .first_cost = costs});
      costs += bytes.size() + 1;
      chunk = chunk.subspan(bytes.size());
    }
  }
  before_.resize(costs);
  // Eight costs behind a position are read at a time.
  after_.resize(costs + max_symbol_length);
}

void SampleAnalyser::parse(const Piece& piece, const SymbolAutomaton& automaton, unsigned literal_codes) {
  std::uint16_t* const after = after_.data() + piece.first_cost;
  std::uint16_t* const before = before_.data() + piece.first_cost;
  const std::size_t size = piece.bytes.size();
  after[size] = 0;
  parse_optimally(automaton, literal_codes, piece.bytes,
                  [&](std::size_t i, const Matches& matches, unsigned choice, std::uint32_t cost) {
                    matches_[i] = &matches;
                    choices_[i] = static_cast<std::uint8_t>(choice);
                    after[i] = static_cast<std::uint16_t>(cost);
                  });
  std::fill_n(before, size + 1, unknown_cost);
  before[0] = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const auto relax = [&](std::size_t end, unsigned codes) {
      before[end] = std::min(before[end], static_cast<std::uint16_t>(before[i] + codes));
    };
    relax(i + 1, literal_codes);
    const Matches& matches = *matches_[i];
    for (unsigned k = 0; k < matches.count; ++k) relax(i + matches.lengths[k], 1);
  }
}

// Follows the optimal parse and adds up what its symbols are worth.
void SampleAnalyser::walk(const Piece& piece, unsigned literal_codes, SampleAnalysis& analysis) {
  const std::uint16_t* const before = before_.data() + piece.first_cost;
  const std::uint16_t* const after = after_.data() + piece.first_cost;
  const std::size_t size = piece.bytes.size();
  const unsigned codes = after[0];
  for (std::size_t i = 0; i < size;) {
    const Matches& matches = *matches_[i];
    const unsigned choice = choices_[i];
    if (choice != Matches::literal_choice) {
      ++analysis.uses[matches.symbols[choice]];
      analysis.losses[matches.symbols[choice]] +=
          best_without(matches_, before, after, i, choice, literal_codes) - codes;
    }
    i += matches.lengths[choice];
  }
}

// Follows the greedy parse: adds up what its symbols are worth, and leaves costs at its boundaries alone.
void SampleAnalyser::walk_greedily(const Piece& piece, unsigned literal_codes, SampleAnalysis& analysis) {
  std::uint16_t* const before = before_.data() + piece.first_cost;
  std::uint16_t* const after = after_.data() + piece.first_cost;
  const std::size_t size = piece.bytes.size();
  std::fill_n(before, size + 1, no_boundary);
  std::fill_n(after, size + 1, no_boundary);
  unsigned codes = 0;
  for (std::size_t i = 0; i < size;) {
    before[i] = static_cast<std::uint16_t>(codes);
    const Matches& matches = *matches_[i];
    if (matches.count == 0) {
      codes += literal_codes;
      ++i;
      continue;
    }
    ++analysis.uses[matches.symbols[0]];
    analysis.losses[matches.symbols[0]] +=
        cost_of_own_bytes(std::span(matches_).subspan(i, matches.lengths[0]), literal_codes) - 1;
    ++codes;
    i += matches.lengths[0];
  }
  before[size] = static_cast<std::uint16_t>(codes);
  for (std::size_t i = 0; i <= size; ++i) {
    if (before[i] != no_boundary) after[i] = static_cast<std::uint16_t>(codes - before[i]);
  }
}

// Adds up what each string of the sample would save where it stands.
void SampleAnalyser::add_up_gains(unsigned min_length) {
  gains_.assign(strings_->count(), {});
  for (const Piece& piece : pieces_) {
    const std::uint16_t* const before = before_.data() + piece.first_cost;
    const std::uint16_t* const after = after_.data() + piece.first_cost;
    const unsigned codes = after[0];
    const std::size_t size = piece.bytes.size();
    for (std::size_t i = 0; i < size; ++i) {
      if (before[i] + 1u >= codes) continue;
      const unsigned limit = codes - before[i] - 1u;
      const unsigned max_length =
          static_cast<unsigned>(std::min<std::size_t>(size - i, max_symbol_length));
      // Bit n says whether a symbol of n + 1 bytes would do.
      unsigned cheaper = lanes_below(after + i + 1, limit) | lanes_below(after + i + 5, limit) << 4;
      cheaper &= (0xffu >> (8 - max_length)) & (0xffu << (min_length - 1));
      const auto numbers = strings_->at(piece.begin + i);
      for (; cheaper != 0; cheaper &= cheaper - 1) {
        const auto end = static_cast<unsigned>(std::countr_zero(cheaper));
        StringGain& gain = gains_[numbers[end]];
        gain.codes += limit - after[i + end + 1];
        ++gain.occurrences;
      }
    }
  }
  gains_[SampleStrings::occurs_once] = {};
}

// There are hundreds of thousands of strings and only the best are wanted: how many gain how much says what
// the least of these is, and only those that gain as much are sorted.
void SampleAnalyser::find_candidates(CodeWidth width, std::size_t count, SampleAnalysis& analysis) {
  if (!strings_) {
    std::vector<std::span<const std::uint8_t>> pieces;
    for (const Piece& piece : pieces_) pieces.push_back(piece.bytes);
    strings_.emplace(pieces);
  }
  add_up_gains(width.min_symbol_length());

  std::array<std::size_t, 1u << 12> strings_by_gain{};
  for (const StringGain& gain : gains_) {
    ++strings_by_gain[std::min<std::size_t>(gain.codes, strings_by_gain.size() - 1)];
  }
  std::size_t least_gain = strings_by_gain.size() - 1;
  for (std::size_t found = strings_by_gain[least_gain]; found < count && least_gain > 2;) {
    found += strings_by_gain[--least_gain];
  }

  struct Counted {
    Candidate candidate;
    std::uint32_t occurrences;
  };
  std::vector<Counted> best;
  for (std::uint32_t number = 0; number < gains_.size(); ++number) {
    const StringGain& gain = gains_[number];
    if (gain.codes < least_gain) continue;
    best.push_back({.candidate = {.symbol = (*strings_)[number], .gain = gain.codes},
                    .occurrences = gain.occurrences});
  }
  std::sort(best.begin(), best.end(), [](const Counted& left, const Counted& right) {
    return is_better(left.candidate, right.candidate);
  });
  best.resize(std::min(count, best.size()));
  for (const Counted& string : best) {
    analysis.candidates.push_back(string.candidate);
    analysis.candidate_occurrences.push_back(string.occurrences);
  }
}

std::uint64_t SampleAnalyser::count_codes(const Dictionary& dictionary) const {
  const SymbolAutomaton automaton(dictionary.symbols);
  std::uint64_t codes = 0;
  for (const std::span<const std::uint8_t> chunk : sample_) {
    codes += parse_optimally(automaton, dictionary.width.literal_codes(), chunk,
                             [](std::size_t, const Matches&, unsigned, std::uint32_t) {});
  }
  return codes;
}

SampleAnalysis SampleAnalyser::analyse(const Dictionary& dictionary, std::size_t candidate_count,
                                       Parse kind) {
  const SymbolAutomaton automaton(dictionary.symbols);
  const unsigned literal_codes = dictionary.width.literal_codes();
  SampleAnalysis analysis;
  analysis.losses.resize(dictionary.symbols.size());
  analysis.uses.resize(dictionary.symbols.size());
  for (const Piece& piece : pieces_) {
    parse(piece, automaton, literal_codes);
    if (kind == Parse::greedy) {
      walk_greedily(piece, literal_codes, analysis);
    } else {
      walk(piece, literal_codes, analysis);
    }
    analysis.codes += after_[piece.first_cost];
  }
  if (candidate_count != 0) find_candidates(dictionary.width, candidate_count, analysis);
  return analysis;
}

}  // namespace gsst::reference
