#include "reference_cpu/sample_analysis.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "reference_cpu/cost_lanes.hpp"
#include "reference_cpu/optimal_parse.hpp"

namespace gsst::reference {
namespace {

using format::max_symbol_length;

constexpr LanesOfLengths one_code_of_lengths = lanes_of_lengths(1);
// With literals of one code and of two.
constexpr std::array<LanesOfLengths, 2> codes_of_lengths = {lanes_of_lengths(1, 1), lanes_of_lengths(1, 2)};

// Bit n of the answer says whether costs[n] < limit, for four costs below 2^15: a comparison for each would
// be mispredicted at every other position.
unsigned lanes_below(const std::int16_t* costs, unsigned limit) {
  std::uint64_t lanes = 0;
  std::memcpy(&lanes, costs, sizeof lanes);
  constexpr std::uint64_t ones = 0x0001000100010001;
  constexpr std::uint64_t top_bits = ones << 15;
  const std::uint64_t below = ~((lanes | top_bits) - limit * ones) & top_bits;
  // Bits 15, 31, 47 and 63 to bits 60 to 63.
  return static_cast<unsigned>((below >> 15) * 0x1000200040008000 >> 60);
}

// The sets of lengths of n + 1 bytes and more.
constexpr std::array<unsigned, max_symbol_length> longer_than = {0xff, 0xfe, 0xfc, 0xf8,
                                                                 0xf0, 0xe0, 0xc0, 0x80};

// The least codes for the bytes of the symbol that is the longest match at the first of `lengths`, which has
// an entry for each of its bytes, without that symbol.
unsigned cost_of_own_bytes(std::span<const std::uint8_t> lengths, unsigned literal_codes) {
  std::array<unsigned, max_symbol_length + 1> costs{};
  for (std::size_t i = lengths.size(); i-- > 0;) {
    const std::size_t longest = i == 0 ? lengths.size() - 1 : lengths.size() - i;
    costs[i] = literal_codes + costs[i + 1];
    for (unsigned found = lengths[i] & ~(~0u << longest); found != 0; found &= found - 1) {
      costs[i] = std::min(costs[i], 1 + costs[i + static_cast<unsigned>(std::countr_zero(found)) + 1]);
    }
  }
  return costs[0];
}

// The codes of the greedy parse of a piece, whose symbols are the longest at their places. For each byte the
// state and the lengths of the symbols that start there are kept.
unsigned parse_greedily(std::span<const std::uint8_t> piece, const SymbolAutomaton& automaton,
                        unsigned literal_codes, std::span<SymbolAutomaton::State> states,
                        std::span<std::uint8_t> lengths) {
  find_states(automaton, piece, 0, states);
  std::transform(states.begin(), states.end(), lengths.begin(),
                 [&](SymbolAutomaton::State state) { return automaton.lengths(state); });
  unsigned codes = 0;
  for (std::size_t i = 0; i < piece.size();) {
    const auto longest = static_cast<unsigned>(std::bit_width(lengths[i]));
    codes += longest == 0 ? literal_codes : 1;
    i += std::max(longest, 1u);
  }
  return codes;
}

}  // namespace

SampleAnalyser::SampleAnalyser(std::vector<std::span<const std::uint8_t>> sample)
    : sample_(std::move(sample)) {
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
  cost_count_ = costs;
}

// The optimal parse from the end: its codes.
unsigned SampleAnalyser::parse(const Piece& piece, const SymbolAutomaton& automaton, unsigned literal_codes) {
  OptimalParser parser(automaton, literal_codes, piece.bytes);
  const ParsedSegment parsed = parser.next();
  const auto begin = static_cast<std::ptrdiff_t>(piece.begin);
  std::copy(parsed.states.begin(), parsed.states.end(), states_.begin() + begin);
  std::copy(parsed.starts.begin(), parsed.starts.end(), lengths_.begin() + begin);
  std::copy(parsed.lengths.begin(), parsed.lengths.end(), choices_.begin() + begin);
  std::int16_t* const after = after_.data() + piece.first_cost;
  std::copy(parsed.costs.begin(), parsed.costs.end(), after);
  after[piece.bytes.size()] = 0;
  return static_cast<unsigned>(after[0]);
}

// The same from the front, where parse() has found the symbols.
void SampleAnalyser::find_costs_before(const Piece& piece, unsigned literal_codes) {
  std::int16_t* const before = before_.data() + piece.first_cost;
  const std::uint8_t* const lengths = lengths_.data() + piece.begin;
  const LanesOfLengths& codes_of = codes_of_lengths[literal_codes - 1];
  const std::array<CostLanes, 2> codes_of_byte = {nearest(codes_of[0]), nearest(codes_of[1])};
  CostFront front(all_lanes(never));
  CostLanes cost{};
  for (std::size_t i = 0; i < piece.bytes.size(); ++i) {
    before[i] = cost[0];
    cost = front.step(cost, codes_of[lengths[i]], codes_of_byte[lengths[i] & 1]);
  }
  before[piece.bytes.size()] = cost[0];
}

// The least codes that the whole of a piece takes if the byte at `position` is covered by anything but the
// symbol that the parse takes there.
unsigned SampleAnalyser::best_without(const Piece& piece, std::size_t position,
                                      unsigned literal_codes) const {
  const std::int16_t* const before = before_.data() + piece.first_cost;
  const std::int16_t* const after = after_.data() + piece.first_cost;
  const std::uint8_t* const lengths = lengths_.data() + piece.begin;
  const auto with_literal =
      static_cast<std::int16_t>(before[position] + static_cast<int>(literal_codes) + after[position + 1]);
  const unsigned others = lengths[position] & ~(1u << (choices_[piece.begin + position] - 1));
  CostLanes best = before[position] + one_code_of_lengths[others] + load_lanes(after + position + 1);
  const std::size_t most_back = std::min<std::size_t>(position, max_symbol_length - 1);
  for (std::size_t back = 1; back <= most_back; ++back) {
    const std::size_t start = position - back;
    const unsigned found = lengths[start] & longer_than[back];
    best = lower(best, before[start] + one_code_of_lengths[found] + load_lanes(after + start + 1));
  }
  return static_cast<unsigned>(std::min(with_literal, least(best)));
}

// Follows the optimal parse and adds up what its symbols are worth.
void SampleAnalyser::walk(const Piece& piece, const SymbolAutomaton& automaton, unsigned literal_codes,
                          SampleAnalysis& analysis) {
  const auto codes = static_cast<unsigned>(after_[piece.first_cost]);
  const std::uint8_t* const choices = choices_.data() + piece.begin;
  for (std::size_t i = 0; i < piece.bytes.size(); i += choices[i]) {
    const std::uint16_t symbol = automaton.symbol(states_[piece.begin + i], choices[i]);
    if (symbol == SymbolAutomaton::literal) continue;
    ++analysis.uses[symbol];
    analysis.losses[symbol] += best_without(piece, i, literal_codes) - codes;
  }
}

// Follows the greedy parse and notes its boundaries. What a symbol's own bytes cost without it is the same
// everywhere: the first use finds it, and losses are those of one use.
void SampleAnalyser::walk_greedily(const Piece& piece, const SymbolAutomaton& automaton,
                                   unsigned literal_codes, SampleAnalysis& analysis) {
  const std::span<const std::uint8_t> lengths = std::span(lengths_).subspan(piece.begin, piece.bytes.size());
  std::uint32_t codes = boundaries_.back().codes;
  for (std::size_t i = 0; i < lengths.size();) {
    const auto length = static_cast<unsigned>(std::bit_width(lengths[i]));
    if (length == 0) {
      codes += literal_codes;
      ++i;
    } else {
      const std::uint16_t symbol = automaton.symbol(states_[piece.begin + i], length);
      if (analysis.uses[symbol]++ == 0) {
        analysis.losses[symbol] = cost_of_own_bytes(lengths.subspan(i, length), literal_codes) - 1;
      }
      ++codes;
      i += length;
    }
    boundaries_.push_back({.position = static_cast<std::uint32_t>(piece.begin + i), .codes = codes});
  }
}

// What gains at a place of a piece. All of a piece are noted before they are added up: a loop over those of a
// byte would be mispredicted at every byte, and then nobody asks for the next gains while these are loaded.
void SampleAnalyser::add_up(std::span<const Place> places) {
  for (const Place& place : places) {
    StringGain& gain = gains_[place.string];
    gain.codes += place.codes;
    ++gain.occurrences;
  }
}

// What each string of the sample would save where it stands.
void SampleAnalyser::find_gains(unsigned min_length) {
  std::array<Place, std::size_t{max_symbol_length} * parse_segment_bytes + 1> places;
  for (const Piece& piece : pieces_) {
    const std::int16_t* const before = before_.data() + piece.first_cost;
    const std::int16_t* const after = after_.data() + piece.first_cost;
    const int codes = after[0];
    std::size_t found = 0;
    for (std::size_t i = 0; i < piece.bytes.size(); ++i) {
      if (before[i] + 1 >= codes) continue;
      const auto limit = static_cast<unsigned>(codes - before[i] - 1);
      // Bit n says whether a symbol of n + 1 bytes would do.
      unsigned cheaper = lanes_below(after + i + 1, limit) | lanes_below(after + i + 5, limit) << 4;
      cheaper &= strings_->repeated(piece.begin + i) & longer_than[min_length - 1];
      const auto numbers = strings_->at(piece.begin + i);
      for (unsigned end = 0; end < max_symbol_length; ++end) {
        places[found] = {.string = numbers[end], .codes = limit - static_cast<unsigned>(after[i + end + 1])};
        found += cheaper >> end & 1;
      }
    }
    add_up(std::span(places).first(found));
  }
}

// The same for the strings between two boundaries of the greedy parse.
void SampleAnalyser::find_gains_between_boundaries(unsigned min_length) {
  constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();
  const std::size_t count = boundaries_.size() - 1;
  // Eight boundaries behind one are looked at.
  boundaries_.resize(boundaries_.size() + max_symbol_length, {.position = nowhere, .codes = 0});
  std::array<Place, std::size_t{max_symbol_length} * parse_segment_bytes + 1> places;
  for (std::size_t first = 0; first < count; first += parse_segment_bytes) {
    std::size_t found = 0;
    for (std::size_t i = first; i < std::min(count, first + parse_segment_bytes); ++i) {
      const Boundary start = boundaries_[i];
      // Those that cross the end of a piece are not among them.
      const unsigned repeated = strings_->repeated(start.position) & longer_than[min_length - 1];
      const auto numbers = strings_->at(start.position);
      for (std::size_t next = i + 1; next <= i + max_symbol_length; ++next) {
        const std::uint32_t last = boundaries_[next].position - start.position - 1;
        const std::uint32_t codes = boundaries_[next].codes - start.codes;
        const bool is_short = last < max_symbol_length;
        places[found] = {.string = numbers[last % max_symbol_length], .codes = codes - 1};
        found += unsigned{is_short} & unsigned{codes > 1} & (repeated >> last % max_symbol_length);
      }
    }
    add_up(std::span(places).first(found));
  }
}

// There are hundreds of thousands of strings and only the best are wanted: how many gain how much says what
// the least of these is, and only those that gain as much are sorted.
void SampleAnalyser::find_candidates(CodeWidth width, std::size_t count, Parse kind,
                                     SampleAnalysis& analysis) {
  if (!strings_) {
    std::vector<std::span<const std::uint8_t>> pieces;
    for (const Piece& piece : pieces_) pieces.push_back(piece.bytes);
    strings_ = std::make_shared<const SampleStrings>(pieces);
  }
  gains_.assign(strings_->count(), {});
  if (kind == Parse::greedy) {
    find_gains_between_boundaries(width.min_symbol_length());
  } else {
    find_gains(width.min_symbol_length());
  }

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
    best.push_back(
        {.candidate = {.symbol = (*strings_)[number], .gain = gain.codes}, .occurrences = gain.occurrences});
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

std::uint64_t SampleAnalyser::count_codes(const Dictionary& dictionary, Parse kind) const {
  const SymbolAutomaton automaton(dictionary.symbols);
  const unsigned literal_codes = dictionary.width.literal_codes();
  std::uint64_t codes = 0;
  if (kind == Parse::greedy) {
    std::array<SymbolAutomaton::State, parse_segment_bytes> states;
    std::array<std::uint8_t, parse_segment_bytes> lengths;
    for (const Piece& piece : pieces_) {
      const std::size_t size = piece.bytes.size();
      codes += parse_greedily(piece.bytes, automaton, literal_codes, std::span(states).first(size),
                              std::span(lengths).first(size));
    }
    return codes;
  }
  for (const std::span<const std::uint8_t> chunk : sample_) {
    OptimalParser parser(automaton, literal_codes, chunk);
    while (parser.has_next()) parser.next();
    codes += parser.codes();
  }
  return codes;
}

SampleAnalysis SampleAnalyser::analyse(const Dictionary& dictionary, std::size_t candidate_count,
                                       Parse kind) {
  return *analyse_if(dictionary, candidate_count, kind, [](std::uint64_t) { return true; });
}

std::optional<SampleAnalysis> SampleAnalyser::analyse_if(
    const Dictionary& dictionary, std::size_t candidate_count, Parse kind,
    const std::function<bool(std::uint64_t codes)>& is_enough) {
  const SymbolAutomaton automaton(dictionary.symbols);
  const unsigned literal_codes = dictionary.width.literal_codes();
  states_.resize(bytes_);
  lengths_.resize(bytes_);
  choices_.resize(bytes_);
  before_.resize(cost_count_);
  // Eight costs behind a position are read at a time.
  after_.resize(cost_count_ + max_symbol_length);
  SampleAnalysis analysis;
  for (const Piece& piece : pieces_) {
    const std::size_t size = piece.bytes.size();
    analysis.codes += kind == Parse::greedy ? parse_greedily(piece.bytes, automaton, literal_codes,
                                                             std::span(states_).subspan(piece.begin, size),
                                                             std::span(lengths_).subspan(piece.begin, size))
                                            : parse(piece, automaton, literal_codes);
  }
  if (!is_enough(analysis.codes)) return std::nullopt;

  analysis.losses.resize(dictionary.symbols.size());
  analysis.uses.resize(dictionary.symbols.size());
  boundaries_.assign(1, {.position = 0, .codes = 0});
  for (const Piece& piece : pieces_) {
    if (kind == Parse::greedy) {
      walk_greedily(piece, automaton, literal_codes, analysis);
    } else {
      find_costs_before(piece, literal_codes);
      walk(piece, automaton, literal_codes, analysis);
    }
  }
  if (kind == Parse::greedy) {
    for (std::size_t i = 0; i < analysis.uses.size(); ++i) analysis.losses[i] *= analysis.uses[i];
  }
  if (candidate_count != 0) find_candidates(dictionary.width, candidate_count, kind, analysis);
  return analysis;
}

}  // namespace gsst::reference
