#pragma once

#include <cstdint>

#include "stages/search/07_automaton/byte_automaton.hpp"
#include "stages/search/shared/matches.cuh"
#include "stages/search/shared/rare_call.hpp"
#include "stages/search/shared/search_on_device.hpp"
#include "stages/search/shared/text_walk.cuh"

// The automaton byte by byte, for codes that one row does not do for, and where positions are wanted.
namespace gsst::search::kernels {
namespace {

// What codes do: the state behind them, and the matches that end in them.
struct Walk {
  std::uint32_t state;
  std::uint32_t matches;
};

// Codes of a block, from `begin` to before `end`; those behind the block's last are left out.
struct CodeRange {
  std::uint32_t block;
  std::uint32_t begin;
  std::uint32_t end;
};

// What the codes do from `state` on. Calls `on_match` with the bytes that they put out up to the end of each
// match.
template <typename OnMatch>
__device__ __forceinline__ Walk walk_bytes(const SearchOnDevice& search, const ByteAutomaton& automaton,
                                           const CodeRange& range, std::uint32_t state,
                                           const OnMatch& on_match) {
  Walk walk{.state = state, .matches = 0};
  const std::uint32_t code_count = search.blocks[range.block].code_count;
  const std::uint32_t end = range.end < code_count ? range.end : code_count;
  if (range.begin >= end) return walk;
  TextAfter after(search, range.block, range.begin);
  for (std::uint32_t read = 1;; ++read) {
    const std::int32_t byte = after.next();
    if (byte == no_byte || after.block() != range.block || after.code() > end) return walk;
    const std::uint32_t entry = automaton.next[walk.state][byte];
    walk.state = entry & next_state_mask;
    if (entry < match_ends) continue;
    ++walk.matches;
    on_match(read);
  }
}

__device__ GSST_RARE_CALL Walk count_by_bytes(const SearchOnDevice& search, const ByteAutomaton& automaton,
                                              const CodeRange& range, std::uint32_t state) {
  return walk_bytes(search, automaton, range, state, [](std::uint32_t) {});
}

// Adds the matches. `offset` is where in the block's text the output of the codes starts; it matters for
// positions only.
__device__ GSST_RARE_CALL void add_by_bytes(const SearchOnDevice& search, const ByteAutomaton& automaton,
                                            const CodeRange& range, std::uint32_t state, std::uint32_t offset,
                                            LaneMatches& matches) {
  const std::uint64_t begin = search.blocks[range.block].text_begin + offset;
  walk_bytes(search, automaton, range, state,
             [&](std::uint32_t read) { matches.add(begin + read - automaton.match_bytes); });
}

}  // namespace
}  // namespace gsst::search::kernels
