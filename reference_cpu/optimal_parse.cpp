#include "reference_cpu/optimal_parse.hpp"

#include <cstring>
#include <limits>

#include "reference_cpu/cost_lanes.hpp"

namespace gsst::reference {
namespace {

using State = SymbolAutomaton::State;
using format::max_symbol_length;

// A cost and a choice in one lane: of equal costs the lowest lane has the longest symbol.
constexpr unsigned choice_bits = 3;
constexpr std::int16_t one_code = 1 << choice_bits;
constexpr std::int16_t choice_mask = one_code - 1;
static_assert(2 * (parse_segment_bytes + max_symbol_length) * one_code + never < 1 << 15);

// What symbols of each set of lengths that end at a position add to its cost.
constexpr LanesOfLengths costs_of_lengths(unsigned literal_codes) {
  LanesOfLengths table = lanes_of_lengths(one_code, static_cast<std::int16_t>(literal_codes * one_code));
  for (auto& costs : table.costs) {
    for (unsigned lane = 0; lane < max_symbol_length; ++lane) {
      costs[lane] = static_cast<std::int16_t>(costs[lane] + choice_mask - static_cast<int>(lane));
    }
  }
  return table;
}

constexpr std::array<LanesOfLengths, 2> costs_by_literal_codes = {costs_of_lengths(1), costs_of_lengths(2)};

// So many parts of a segment have their states found side by side: each step waits for the one before.
constexpr std::size_t streams = 8;

State state_behind(const SymbolAutomaton& automaton, std::span<const std::uint8_t> input,
                   std::size_t position) {
  State state = SymbolAutomaton::end();
  for (std::size_t i = std::min(input.size(), position + max_symbol_length - 1); i-- > position;) {
    state = automaton.step(state, input[i]);
  }
  return state;
}

}  // namespace

void find_states(const SymbolAutomaton& automaton, std::span<const std::uint8_t> input, std::size_t begin,
                 std::span<State> states) {
  const std::size_t part = states.size() / streams;
  std::array<State, streams> current;
  for (std::size_t stream = 0; stream < streams; ++stream) {
    current[stream] = state_behind(automaton, input, begin + (stream + 1) * part);
  }
  const std::uint8_t* const bytes = input.data() + begin;
  for (std::size_t i = part; i-- > 0;) {
    for (std::size_t stream = 0; stream < streams; ++stream) {
      const std::size_t position = stream * part + i;
      current[stream] = automaton.step(current[stream], bytes[position]);
      states[position] = current[stream];
    }
  }
  State state = state_behind(automaton, input, begin + states.size());
  for (std::size_t i = states.size(); i-- > streams * part;) {
    state = automaton.step(state, bytes[i]);
    states[i] = state;
  }
}

OptimalParser::OptimalParser(const SymbolAutomaton& automaton, unsigned literal_codes,
                             std::span<const std::uint8_t> input)
    : automaton_(automaton), literal_codes_(literal_codes), input_(input), left_(input.size()) {
  in_front_.fill(std::numeric_limits<std::int16_t>::max());
}

// From the lengths of the symbols that start at each byte those of the symbols that end in front of each.
void OptimalParser::find_ends(std::size_t begin, std::size_t size) {
  // The bytes in front of the segment have symbols that end in it.
  std::fill_n(starts_.begin(), max_symbol_length, std::uint8_t{0});
  State state = states_[0];
  for (std::size_t back = 1; back <= std::min(begin, max_symbol_length - std::size_t{1}); ++back) {
    state = automaton_.step(state, input_[begin - back]);
    starts_[max_symbol_length - back] = automaton_.lengths(state);
  }
  for (std::size_t i = 0; i < size; ++i) starts_[max_symbol_length + i] = automaton_.lengths(states_[i]);
  for (std::size_t i = 0; i < size; ++i) {
    unsigned ending = 0;
    for (unsigned length = 1; length <= max_symbol_length; ++length) {
      ending |= starts_[max_symbol_length + i + 1 - length] & 1u << (length - 1);
    }
    ends_[i] = static_cast<std::uint8_t>(ending);
  }
}

ParsedSegment OptimalParser::next() {
  const std::size_t size = std::min(left_, parse_segment_bytes);
  left_ -= size;
  find_states(automaton_, input_, left_, std::span(states_).first(size));
  find_ends(left_, size);

  const LanesOfLengths& costs_of = costs_by_literal_codes[literal_codes_ - 1];
  const std::array<CostLanes, 2> costs_of_byte = {nearest(costs_of[0]), nearest(costs_of[1])};
  CostFront front(load_lanes(in_front_.data()));
  CostLanes cost{};
  for (std::size_t i = size; i-- > 0;) {
    const CostLanes chosen = front.step(cost, costs_of[ends_[i]], costs_of_byte[ends_[i] & 1]);
    costs_[i] = chosen[0];
    cost = chosen & static_cast<std::int16_t>(~choice_mask);
  }
  // More bytes can take fewer codes: a cost may be negative.
  codes_ += cost[0] / one_code;
  CostLanes in_front = front.costs() - cost;
  in_front[max_symbol_length - 1] = std::numeric_limits<std::int16_t>::max();
  std::memcpy(in_front_.data(), &in_front, sizeof in_front);
  for (std::size_t i = 0; i < size; ++i) {
    lengths_[i] = static_cast<std::uint8_t>(max_symbol_length - (costs_[i] & choice_mask));
    costs_[i] = static_cast<std::int16_t>(costs_[i] >> choice_bits);
  }
  return {.begin = left_,
          .states = std::span(states_).first(size),
          .starts = std::span(starts_).subspan(max_symbol_length, size),
          .lengths = std::span(lengths_).first(size),
          .costs = std::span(costs_).first(size)};
}

}  // namespace gsst::reference
