#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "reference_cpu/symbol_automaton.hpp"

namespace gsst::reference {

/// Bytes for which a parse goes on before its costs are counted anew.
inline constexpr std::size_t parse_segment_bytes = 4096;

/// Parses `input` into as few codes as its symbols allow, from its last byte to its first, and returns their
/// number. With cost(i) codes for the bytes from i on,
///
///     cost(i) = min(literal_codes + cost(i + 1), 1 + cost(i + length) for each symbol that starts at i).
///
/// Calls visit(i, matches, choice, cost) for each i, last one first: `choice` is the place in `matches` of
/// what stands first in the best parse from i on, of equal ones the longest. `cost` is cost(i) in an input of
/// up to parse_segment_bytes; in a larger one it lacks a constant that changes every parse_segment_bytes.
template <typename Visit>
std::uint64_t parse_optimally(const SymbolAutomaton& automaton, unsigned literal_codes,
                              std::span<const std::uint8_t> input, const Visit& visit) {
  using Matches = SymbolAutomaton::Matches;
  // A cost and a choice in one word: the smallest word has the best choice in its lowest bits.
  constexpr unsigned choice_bits = 4;
  constexpr std::uint32_t one_code = 1u << choice_bits;
  const std::uint32_t literal = literal_codes * one_code + Matches::literal_choice;
  // Where costs are counted anew. A cost is at most 2 codes a byte below one of the 8 positions in front of
  // it, so that none becomes negative.
  constexpr std::uint32_t anew = 2 * format::max_symbol_length * one_code;

  // Costs of a segment and of the 8 positions behind it.
  std::array<std::uint32_t, parse_segment_bytes + format::max_symbol_length> costs{};
  SymbolAutomaton::State state = SymbolAutomaton::end();
  std::int64_t codes = 0;
  for (std::size_t end = input.size(); end > 0;) {
    const std::size_t begin = end > parse_segment_bytes ? end - parse_segment_bytes : 0;
    const std::span<const std::uint8_t> segment = input.subspan(begin, end - begin);
    const std::uint32_t cost_behind = costs[segment.size()];
    std::uint32_t cost = cost_behind;
    for (std::size_t i = segment.size(); i-- > 0;) {
      state = automaton.step(state, segment[i]);
      const Matches& matches = automaton.matches(state);
      std::uint32_t best = cost + literal;
      // Most positions have two symbols or fewer; a loop over their number would be mispredicted at many of
      // them (140 MB/s in place of 230 on TPC-H-derived text).
      for (unsigned k = 0; k < 2; ++k) {
        best = std::min(best, costs[i + matches.lengths[k]] + matches.codes[k] * one_code + k);
      }
      for (unsigned k = 2; k < matches.count; ++k) {
        best = std::min(best, costs[i + matches.lengths[k]] + one_code + k);
      }
      const unsigned choice = best & (one_code - 1);
      cost = best - choice;
      costs[i] = cost;
      visit(begin + i, matches, choice, cost >> choice_bits);
    }
    // More bytes can take fewer codes: the difference may be negative.
    codes += static_cast<std::int32_t>(cost - cost_behind) / static_cast<std::int32_t>(one_code);
    end = begin;
    // The first costs of this segment are those behind the next one.
    std::array<std::uint32_t, format::max_symbol_length> first;
    std::copy_n(costs.begin(), first.size(), first.begin());
    const std::size_t next_size = std::min(end, parse_segment_bytes);
    for (std::size_t i = 0; i < first.size(); ++i) costs[next_size + i] = first[i] - first[0] + anew;
  }
  return static_cast<std::uint64_t>(codes);
}

}  // namespace gsst::reference
