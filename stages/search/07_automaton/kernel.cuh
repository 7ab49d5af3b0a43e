#pragma once

#include <cstddef>
#include <cstdint>

#include "common/stage/shared_memory.hpp"
#include "stages/search/07_automaton/automaton_search.cuh"
#include "stages/search/07_automaton/byte_automaton.hpp"
#include "stages/search/07_automaton/code_table.cuh"
#include "stages/search/shared/matches.cuh"
#include "stages/search/shared/piece_walk.cuh"
#include "stages/search/shared/rare_call.hpp"
#include "stages/search/shared/search_on_device.hpp"

namespace gsst::search::kernels {
namespace {

// Shared memory: the table, and a word for walk_pieces().
template <std::uint32_t CodeBits>
constexpr std::size_t automaton_bytes = CodeTable<CodeBits>::bytes + sizeof(std::uint32_t);

template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
__global__ void __launch_bounds__(most_threads, 1)
    search_by_automaton(const GSST_GRID_CONSTANT SearchOnDevice search, const ByteAutomaton* automaton) {
  GSST_SHARED_MEMORY(shared);
  // Apart from the work: what functions get by reference is in memory.
  LaneMatches matches(search.answer);
  AutomatonSearch<CodeBits, CodesPerLane, Aligned> work(search, *automaton, shared, matches);
  walk_pieces<CodeBits, CodesPerLane, Aligned>(
      search, reinterpret_cast<std::uint32_t*>(shared + CodeTable<CodeBits>::bytes), work);
}

}  // namespace
}  // namespace gsst::search::kernels
