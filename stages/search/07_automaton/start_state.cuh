#pragma once

#include <cstdint>

#include "stages/search/07_automaton/byte_automaton.hpp"
#include "stages/search/07_automaton/code_table.cuh"
#include "stages/search/shared/exact_matches.cuh"
#include "stages/search/shared/matches.cuh"
#include "stages/search/shared/rare_call.hpp"
#include "stages/search/shared/search_on_device.hpp"
#include "stages/search/shared/text_walk.cuh"

// The state in front of a place of the text, found from the text before it.
namespace gsst::search::kernels {
namespace {

// Most codes, and then bytes, that are read for it. A line end makes the state known whatever was before, and
// so do as many bytes as a string has; without this bound a text that has neither would take hours.
constexpr std::uint32_t most_read_back = 1u << 14;
static_assert(most_read_back % group_codes == 0);
// The status of a strip whose state is not known then; no format::BlockStatus.
constexpr std::uint32_t unknown_state_status = 253;

// From each state in front of a piece of text to the state behind it. A lane of the warp has those of two
// states.
class StatesBehind {
public:
  // Of a text of no bytes, for an automaton of `state_count` states.
  __device__ explicit StatesBehind(std::uint32_t state_count) : state_count_(state_count) {}

  // Puts a piece in front that leads from states `lane` and `lane` + 32 to `low` and `high`.
  __device__ __forceinline__ void prepend(std::uint32_t low, std::uint32_t high) {
    const std::uint32_t new_low = after(low);
    const std::uint32_t new_high = after(high);
    low_ = new_low;
    high_ = new_high;
  }

  // From state 0.
  __device__ __forceinline__ std::uint32_t after_first() const { return __shfl_sync(all_lanes, low_, 0); }

  // Whether all states lead to the same.
  __device__ __forceinline__ bool is_known() const {
    const std::uint32_t first = after_first();
    const bool differs = (is_state(lane_) && low_ != first) || (is_state(lane_ + 32) && high_ != first);
    return __ballot_sync(all_lanes, differs) == 0;
  }

  __device__ __forceinline__ bool is_state(std::uint32_t state) const { return state < state_count_; }

private:
  __device__ __forceinline__ std::uint32_t after(std::uint32_t state) const {
    const auto source = static_cast<int>(state % 32);
    const std::uint32_t of_low = __shfl_sync(all_lanes, low_, source);
    const std::uint32_t of_high = __shfl_sync(all_lanes, high_, source);
    return state < 32 ? of_low : of_high;
  }

  const std::uint32_t state_count_;
  const std::uint32_t lane_ = threadIdx.x % 32;
  std::uint32_t low_ = threadIdx.x % 32;
  std::uint32_t high_ = threadIdx.x % 32 + 32;
};

// The state in front of what code `code` of block `block` puts out, byte by byte; `behind` leads from there
// to the place that is asked for. All lanes of a warp call it together.
__device__ inline std::uint32_t state_by_bytes(const SearchOnDevice& search, const ByteAutomaton& automaton,
                                               std::uint32_t block, std::uint32_t code, StatesBehind behind) {
  const std::uint32_t lane = threadIdx.x % 32;
  TextBefore before(search, block, code);
  for (std::uint32_t read = 0; !behind.is_known(); ++read) {
    const std::int32_t byte = before.next();
    // The text's start, or the codes before are not read.
    if (byte == no_byte) return behind.after_first();
    if (read == most_read_back) {
      const SearchedBlock& searched = search.blocks[block];
      const std::uint32_t strip = searched.is_raw() || code == 0 ? 0 : searched.strip_of(code - 1);
      atomicMax(&search.statuses[block],
                format::strip_status(static_cast<format::BlockStatus>(unknown_state_status), strip));
      return 0;
    }
    const auto next = [&](std::uint32_t state) {
      return behind.is_state(state) ? automaton.next[state][byte] & next_state_mask : look_closer;
    };
    behind.prepend(next(lane), next(lane + 32));
  }
  return behind.after_first();
}

// The same for code `code`, of a block that is not raw and the first of its tile, by steps over codes as long
// as these do.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
__device__ GSST_RARE_CALL std::uint32_t state_before(const SearchOnDevice& search,
                                                     const ByteAutomaton& automaton,
                                                     CodeTable<CodeBits> table, std::uint32_t block,
                                                     std::uint32_t code) {
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t lane_part = CodeTable<CodeBits>::lane_part(lane);
  const CodeGroups<CodeBits, CodesPerLane, Aligned> groups(search, search.blocks[block]);
  StatesBehind behind(automaton.state_count);
  const std::uint32_t last = code / group_codes;
  for (std::uint32_t group = last; group > 0 && last - group < most_read_back / group_codes; --group) {
    const auto codes = groups.group(group - 1);
#pragma unroll
    for (std::uint32_t i = group_codes; i > 0; --i) {
      const std::uint32_t row = table.row_offset(codes, i - 1, lane_part);
      const std::uint32_t low = table.step(row, lane) & next_state_mask;
      const std::uint32_t high = table.step(row, lane + 32) & next_state_mask;
      const bool is_unclear = (behind.is_state(lane) && low == look_closer) ||
                              (behind.is_state(lane + 32) && high == look_closer);
      if (__ballot_sync(all_lanes, is_unclear) != 0) {
        return state_by_bytes(search, automaton, block, code, StatesBehind(automaton.state_count));
      }
      behind.prepend(low, high);
      if (behind.is_known()) return behind.after_first();
    }
  }
  const std::uint32_t read = code < most_read_back ? code : most_read_back;
  return state_by_bytes(search, automaton, block, code - read, behind);
}

}  // namespace
}  // namespace gsst::search::kernels
