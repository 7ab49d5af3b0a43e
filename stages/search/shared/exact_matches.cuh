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
    Group group{};
    group.template load_parts<Aligned>(tile + in_tile * group_codes,
                                       tile + shape.codes() + in_tile * rest_bytes);
    return group;
  }

  // Bytes that the group puts out, without halves of bytes.
  __device__ __forceinline__ std::uint32_t bytes(std::uint32_t number) const {
    const Group codes = group(number);
    std::uint32_t sum = 0;
#pragma unroll
    for (std::uint32_t word = 0; word < group_codes / 4; ++word) {
      sum = add_bytes(lengths_of_classes(lengths_, codes.classes(word)), sum);
    }
    return sum;
  }

private:
  const std::uint8_t* tiles_;
  std::uint32_t lengths_[4];
};

// The lowest `count` bits, of up to 64.
__device__ __forceinline__ std::uint64_t low_bits(std::int32_t count) {
  if (count <= 0) return 0;
  return ~std::uint64_t{0} >> (count < 64 ? 64 - count : 0);
}

// More bytes than the codes of a lane have.
constexpr std::int32_t most_own = 1 << 20;

// What steps over codes did not find, since they do not do for these codes.
constexpr std::uint32_t not_counted = ~0u;

// Counts the matches that belong to some groups, up to group `end`, of a block of `groups` whole ones, by
// steps from group `first` on. That is `before` bytes in front of the first of them, as many as a match may
// have there. `table` has the exact_word() of each code. With `HasPositions` each match is added too;
// `position` is where in the text their output starts. not_counted where steps do not do for the codes that
// it takes.
template <bool HasPositions, typename Groups>
__device__ __forceinline__ std::uint32_t count_by_steps(const Pattern& pattern, const std::uint64_t* table,
                                                        const Groups& codes, std::uint32_t groups,
                                                        std::uint32_t first, std::uint32_t end,
                                                        std::uint32_t before, std::uint64_t position,
                                                        LaneMatches& matches) {
  const std::uint32_t pattern_bytes = pattern.bytes;
  const auto bytes_after_window = static_cast<std::int32_t>(pattern_bytes - pattern.window_end);
  const std::uint32_t last_place = places_shift + pattern_bytes - 1;
  std::uint64_t places = 0;
  // Bytes that were read of their output, and how many they have.
  std::int32_t read = -static_cast<std::int32_t>(before);
  std::int32_t own = most_own;
  std::uint32_t count = 0;
  bool has_unknown = false;
  for (std::uint32_t group = first;; ++group) {
    if (group == end) own = read;
    if (group >= end && read - own >= bytes_after_window) break;
    // A lane may be past the last code.
    if (group >= groups) return not_counted;
    const auto of_group = codes.group(group);
    const std::int32_t read_before = read;
    // Bit i: a match has ended i bytes before the last one that was read.
    std::uint64_t ended = 0;
#pragma unroll
    for (std::uint32_t i = 0; i < group_codes; ++i) {
      const std::uint64_t word = table[of_group.code(i)];
      const std::uint32_t length = exact_length(word);
      has_unknown |= length == 0;
      places = exact_step(word, places);
      read += static_cast<std::int32_t>(length);
      // Those of the code before once more, at the same bits.
      ended = ended << length | places >> last_place;
    }
    if (ended == 0) continue;
    // Of this group, and with the window's last byte in own ones.
    const std::int32_t window_ends = read - bytes_after_window;
    ended &= low_bits(read - read_before) & low_bits(window_ends) & ~low_bits(window_ends - own);
    count +=
        count_bits(static_cast<std::uint32_t>(ended)) + count_bits(static_cast<std::uint32_t>(ended >> 32));
    if constexpr (HasPositions) {
      for (; ended != 0; ended &= ended - 1) {
        const std::uint64_t below = (ended & (0 - ended)) - 1;
        const std::uint32_t after = count_bits(static_cast<std::uint32_t>(below)) +
                                    count_bits(static_cast<std::uint32_t>(below >> 32));
        matches.add(position + static_cast<std::uint64_t>(std::int64_t{read}) - after - pattern_bytes);
      }
    }
  }
  return has_unknown ? not_counted : count;
}

// Finds the matches that belong to codes `begin` to before `end`, whole groups, of block `number`: by steps
// over codes, and byte by byte where these do not do, which is where a code of those that it takes puts out
// nothing or half a byte, where they go over the block's ends, and for long patterns. `begin_offset` is where
// in the block's text the output of code `begin` starts; it matters for positions only.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
__device__ __forceinline__ void find_in_codes(const SearchOnDevice& search, const std::uint64_t* table,
                                              std::uint32_t number, std::uint32_t begin, std::uint32_t end,
                                              std::uint32_t begin_offset, LaneMatches& matches) {
  const Pattern& pattern = *search.pattern;
  const SearchedBlock& block = search.blocks[number];
  const CodeGroups<CodeBits, CodesPerLane, Aligned> codes(search, block);
  const std::uint32_t groups = block.code_count / group_codes;
  const std::uint32_t begin_group = begin / group_codes;
  const std::uint32_t end_group = end / group_codes;
  std::uint32_t first = begin_group;
  std::uint32_t before = 0;
  while (before + 1 < pattern.window_end && first != 0) before += codes.bytes(--first);
  std::uint32_t count = not_counted;
  if (before + 1 >= pattern.window_end && pattern.bytes <= most_exact_bytes) {
    count = count_by_steps<false>(pattern, table, codes, groups, first, end_group, before, 0, matches);
  }
  if (count == not_counted) {
    find_matches(search, number, begin, end, begin_offset, matches);
  } else if (search.answer.positions == nullptr) {
    matches.add_counted(count);
  } else if (count != 0) {
    count_by_steps<true>(pattern, table, codes, groups, first, end_group, before,
                         block.text_begin + begin_offset, matches);
  }
}

}  // namespace
}  // namespace gsst::search::kernels
