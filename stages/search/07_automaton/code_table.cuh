#pragma once

#include <cstddef>
#include <cstdint>

#include "stages/search/07_automaton/byte_automaton.hpp"
#include "stages/search/07_automaton/row_numbers.cuh"
#include "stages/search/shared/lane_codes.cuh"
#include "stages/search/shared/search_on_device.hpp"
#include "stages/search/shared/text_walk.cuh"
#include "stages/search/shared/window_steps.cuh"

// The automaton over codes, in shared memory. Codes that lead from each state to the same one have a row of
// the table in common.
namespace gsst::search::kernels {
namespace {

// The state after a code that has to be looked at byte by byte: more than one match ends in it, or it is a
// half of a byte. No code leads out of it.
constexpr std::uint32_t look_closer = most_states;
// The row of codes that lead there from each state.
constexpr std::uint32_t closer_row = 0;

// The entry of a row: the state after a code that puts `output` out, and match_ends if one ends in it.
__device__ inline std::uint32_t entry_after(const ByteAutomaton& automaton, const CodeOutput& output,
                                            std::uint32_t state) {
  if (state >= automaton.state_count) return look_closer;
  std::uint32_t matches = 0;
  for (std::uint32_t i = 0; i < output.length; ++i) {
    const std::uint32_t entry = automaton.next[state][output.symbol >> (8 * i) & 0xff];
    state = entry & next_state_mask;
    matches += entry / match_ends;
  }
  return matches > 1 ? look_closer : state | matches * match_ends;
}

// What finds codes with the same row while a table is loaded.
template <std::uint32_t CodeBits>
struct RowSearch {
  static constexpr std::uint32_t slots = 2 * most_rows;
  // Places that a hash may have: more than it takes while half of the slots are free.
  static constexpr std::uint32_t most_places = 32;
  // No slot: the code has closer_row.
  static constexpr std::uint32_t no_slot = slots;

  // Of the row, 0 for none; a code that has it; and which row it is.
  std::uint32_t hashes[slots];
  std::uint32_t codes_after[slots];
  std::uint32_t rows[slots];
  std::uint32_t codes_of_rows[most_rows];
  std::uint32_t row_count;
  std::uint16_t slots_of_codes[1u << CodeBits];
};

template <std::uint32_t CodeBits>
class CodeTable {
public:
  using Search = RowSearch<CodeBits>;

  static constexpr std::size_t row_table_bytes = std::size_t{most_rows} * row_bytes;
  static constexpr std::size_t bytes = RowNumbers<CodeBits>::bytes + row_table_bytes + sizeof(Search);
  static_assert(row_table_bytes % alignof(Search) == 0);

  // `table` has as many bytes in shared memory.
  __device__ explicit CodeTable(std::uint8_t* table)
      : numbers_(table),
        rows_(table + RowNumbers<CodeBits>::bytes),
        search_(reinterpret_cast<Search*>(rows_ + row_table_bytes)) {}

  // The thread block makes the table for the codes of block `block`.
  __device__ __forceinline__ void load(const SearchOnDevice& search, const ByteAutomaton& automaton,
                                       const SearchedBlock& block) const {
    for (std::uint32_t slot = threadIdx.x; slot < Search::slots; slot += blockDim.x) {
      search_->hashes[slot] = 0;
      search_->codes_after[slot] = 0;
    }
    if (threadIdx.x == 0) search_->row_count = closer_row + 1;
    __syncthreads();
    for (std::uint32_t code = threadIdx.x; code < 1u << CodeBits; code += blockDim.x) {
      const std::uint32_t slot = find_slot(search, automaton, block, code);
      search_->slots_of_codes[code] = static_cast<std::uint16_t>(slot);
      if (slot != Search::no_slot) atomicMax(&search_->codes_after[slot], code + 1);
    }
    __syncthreads();
    for (std::uint32_t slot = threadIdx.x; slot < Search::slots; slot += blockDim.x) number_row(slot);
    __syncthreads();
    fill_rows(search, automaton, block);
    __syncthreads();
    for (std::uint32_t code = threadIdx.x; code < 1u << CodeBits; code += blockDim.x) {
      numbers_.put(code, row_of_code(search, automaton, block, code), threadIdx.x % 32);
    }
  }

  // What row_offset() needs of the lane.
  __device__ __forceinline__ static std::uint32_t lane_part(std::uint32_t lane) {
    return RowNumbers<CodeBits>::lane_part(lane);
  }

  // Of code `index` of a lane's, for step().
  template <std::uint32_t Codes>
  __device__ __forceinline__ std::uint32_t row_offset(const LaneCodes<CodeBits, Codes>& codes,
                                                      std::uint32_t index, std::uint32_t lane_part) const {
    return numbers_.row_offset(codes, index, lane_part);
  }

  // The entry of `state`, with match_ends or without, in a row.
  __device__ __forceinline__ std::uint32_t step(std::uint32_t row_offset, std::uint32_t state) const {
    return rows_[row_offset + state];
  }

private:
  // Whether a code with that whole_output() always has to be looked at byte by byte.
  __device__ __forceinline__ static bool is_unclear(const SearchedBlock& block, const CodeOutput& output) {
    return output.length == 0 && block.has_halves();
  }

  // Where the hash of the code's row is now; no_slot if there is no room.
  __device__ std::uint32_t find_slot(const SearchOnDevice& search, const ByteAutomaton& automaton,
                                     const SearchedBlock& block, std::uint32_t code) const {
    const CodeOutput output = whole_output(search, block, code);
    if (is_unclear(block, output)) return Search::no_slot;
    std::uint32_t hash = 1;
    for (std::uint32_t state = 0; state < automaton.state_count; ++state) {
      hash = (hash ^ entry_after(automaton, output, state)) * 0x9e3779b1;
      hash ^= hash >> 15;
    }
    if (hash == 0) hash = 1;
    for (std::uint32_t i = 0; i < Search::most_places; ++i) {
      const std::uint32_t slot = (hash + i) % Search::slots;
      const std::uint32_t there = atomicCAS(&search_->hashes[slot], 0u, hash);
      if (there == 0 || there == hash) return slot;
    }
    return Search::no_slot;
  }

  __device__ void number_row(std::uint32_t slot) const {
    if (search_->hashes[slot] == 0) return;
    const std::uint32_t row = atomicAdd(&search_->row_count, 1u);
    search_->rows[slot] = row < most_rows ? row : closer_row;
    if (row < most_rows) search_->codes_of_rows[row] = search_->codes_after[slot] - 1;
  }

  __device__ void fill_rows(const SearchOnDevice& search, const ByteAutomaton& automaton,
                            const SearchedBlock& block) const {
    const std::uint32_t count = search_->row_count < most_rows ? search_->row_count : most_rows;
    for (std::uint32_t i = threadIdx.x; i < count * (most_states + 1); i += blockDim.x) {
      const std::uint32_t row = i / (most_states + 1);
      const std::uint32_t state = i % (most_states + 1);
      std::uint32_t entry = look_closer;
      if (row != closer_row) {
        entry = entry_after(automaton, whole_output(search, block, search_->codes_of_rows[row]), state);
      }
      rows_[row * row_bytes + state] = static_cast<std::uint8_t>(entry);
      rows_[row * row_bytes + match_ends + state] = static_cast<std::uint8_t>(entry);
    }
  }

  // A row whose hash only is the same is another one.
  __device__ std::uint32_t row_of_code(const SearchOnDevice& search, const ByteAutomaton& automaton,
                                       const SearchedBlock& block, std::uint32_t code) const {
    const std::uint32_t slot = search_->slots_of_codes[code];
    if (slot == Search::no_slot) return closer_row;
    const std::uint32_t row = search_->rows[slot];
    const CodeOutput output = whole_output(search, block, code);
    for (std::uint32_t state = 0; state < automaton.state_count; ++state) {
      if (step(row * row_bytes, state) != entry_after(automaton, output, state)) return closer_row;
    }
    return row;
  }

  RowNumbers<CodeBits> numbers_;
  std::uint8_t* rows_;
  Search* search_;
};

}  // namespace
}  // namespace gsst::search::kernels
