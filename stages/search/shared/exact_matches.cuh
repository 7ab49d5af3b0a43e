#pragma once

#include <cstdint>

#include "stages/search/shared/exact_steps.cuh"
#include "stages/search/shared/lane_codes.cuh"
#include "stages/search/shared/lane_offsets.cuh"
#include "stages/search/shared/matches.cuh"
#include "stages/search/shared/rare_call.hpp"
#include "stages/search/shared/search_on_device.hpp"
#include "stages/search/shared/verify.cuh"

// Looks for the whole pattern in a lane's codes by steps over codes, and byte by byte where these do not do.
namespace gsst::search::kernels {
namespace {

// Codes that are loaded together: a lane has whole groups.
constexpr std::uint32_t group_codes = 8;

// The groups of codes of a block that is not raw.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
class CodeGroups {
public:
  using Group = LaneCodes<CodeBits, group_codes>;

  __device__ CodeGroups(const SearchOnDevice& search, const SearchedBlock& block)
      : tiles_(search.frame + block.tile(0)) {
    // Halves of bytes are not for steps over codes: they count as codes without output.
    constexpr std::uint64_t classes_of_halves = 0xff;
    unpack_lengths(block.has_halves() ? block.class_lengths & ~classes_of_halves : block.class_lengths,
                   lengths_);
  }

  __device__ __forceinline__ Group group(std::uint32_t number) const {
    constexpr format::TileShape shape = LaneCodes<CodeBits, CodesPerLane>::shape();
    constexpr std::uint32_t tile_groups = shape.codes() / group_codes;
    constexpr std::uint32_t rest_bytes = CodeBits - 8;
    const std::uint32_t in_tile = number % tile_groups;
    const std::uint8_t* const tile = tiles_ + std::uint64_t{number / tile_groups} * shape.bytes();
    Group group;
    group.template load_parts<Aligned>(tile + in_tile * group_codes,
                                       tile + shape.codes() + in_tile * rest_bytes);
    return group;
  }

  // Bytes that the group puts out; 0 if a code of it puts nothing out.
  __device__ __forceinline__ std::uint32_t bytes(std::uint32_t number) const {
    const Group codes = group(number);
    std::uint32_t sum = 0;
    std::uint32_t has_output = ~0u;
#pragma unroll
    for (std::uint32_t word = 0; word < group_codes / 4; ++word) {
      const std::uint32_t lengths = lengths_of_classes(lengths_, codes.classes(word));
      // Lengths are at most 8: only 0 leaves the highest bit of its byte 0.
      has_output &= lengths + 0x7f7f7f7f;
      sum = add_bytes(lengths, sum);
    }
    return (~has_output & 0x80808080) == 0 ? sum : 0;
  }

private:
  const std::uint8_t* tiles_;
  std::uint32_t lengths_[4];
};

// Finds the matches that belong to codes `begin` to before `end`, whole groups, of block `number`, as
// find_matches() does, by `table` with the exact_word() of each code. False where the pattern is longer than
// a word, or the codes that it takes are not all in the block and each with output: nothing has been found
// then.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
__device__ __forceinline__ bool find_by_steps(const SearchOnDevice& search, const std::uint64_t* table,
                                              std::uint32_t number, std::uint32_t begin, std::uint32_t end,
                                              std::uint32_t begin_offset, LaneMatches& matches) {
  const Pattern& pattern = *search.pattern;
  const SearchedBlock& block = search.blocks[number];
  const std::uint32_t groups = block.code_count / group_codes;
  std::uint32_t first = begin / group_codes;
  std::uint32_t last = end / group_codes;
  if (pattern.bytes > most_exact_bytes || last > groups) return false;
  const CodeGroups<CodeBits, CodesPerLane, Aligned> codes(search, block);
  std::uint32_t own = 0;
  for (std::uint32_t group = first; group < last; ++group) {
    const std::uint32_t bytes = codes.bytes(group);
    if (bytes == 0) return false;
    own += bytes;
  }
  // What of the pattern may be before these codes, and after them.
  std::uint32_t before = 0;
  while (before + 1 < pattern.window_end) {
    const std::uint32_t bytes = first == 0 ? 0 : codes.bytes(--first);
    if (bytes == 0) return false;
    before += bytes;
  }
  const std::uint32_t bytes_after_window = pattern.bytes - pattern.window_end;
  for (std::uint32_t after = 0; after < bytes_after_window;) {
    const std::uint32_t bytes = last == groups ? 0 : codes.bytes(last++);
    if (bytes == 0) return false;
    after += bytes;
  }
  std::uint64_t places = 0;
  // From the output of code `begin` on.
  std::uint32_t read = 0 - before;
  for (std::uint32_t group = first; group < last; ++group) {
    const auto of_group = codes.group(group);
#pragma unroll
    for (std::uint32_t i = 0; i < group_codes; ++i) {
      const std::uint64_t word = table[of_group.code(i)];
      const auto length = static_cast<std::uint32_t>(word) >> length_shift & 0xf;
      places = exact_step(word, places);
      read += length;
      // Bit i: a match has ended i bytes before the symbol does.
      auto ended =
          static_cast<std::uint32_t>(places >> (places_shift + pattern.bytes - 1)) & ((1u << length) - 1);
      while (ended != 0) {
        const std::uint32_t match_end = read - count_bits((ended & (0 - ended)) - 1);
        ended &= ended - 1;
        // 1 to `own` if the window ends in these codes; large if it ends before them.
        const std::uint32_t window_end = match_end - bytes_after_window;
        if (window_end - 1 >= own) continue;
        matches.add(block.text_begin + begin_offset + match_end - pattern.bytes);
      }
    }
  }
  return true;
}

// Finds the matches that belong to codes `begin` to before `end`, whole groups, of block `number`.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
__device__ __forceinline__ void find_in_codes(const SearchOnDevice& search, const std::uint64_t* table,
                                              std::uint32_t number, std::uint32_t begin, std::uint32_t end,
                                              std::uint32_t begin_offset, LaneMatches& matches) {
  if (find_by_steps<CodeBits, CodesPerLane, Aligned>(search, table, number, begin, end, begin_offset,
                                                     matches)) {
    return;
  }
  find_matches(search, number, begin, end, begin_offset, matches);
}

}  // namespace
}  // namespace gsst::search::kernels
