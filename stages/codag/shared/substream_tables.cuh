#pragma once

#include <cstdint>

#include "common/format/codag/deflate.hpp"
#include "common/stage/launch.hpp"
#include "stages/codag/shared/deflate.cuh"
#include "stages/codag/shared/prefix_code.cuh"
#include "stages/codag/shared/substream_input.cuh"

// Tables whose entries say at once what a lane needs of an element: how many bits it has, and what they mean.
// A lane takes every element of a region about three times, where a table is made once for a section.
namespace gsst::codag {
namespace {

// Of both kinds of entries: the bits of what the entry speaks of, 0 where the table does not say it.
constexpr std::uint32_t entry_bits_mask = 31;

// An entry for a literal, or for a length: its bits with the extra ones, how many are extra, and the literal
// or the shortest such length less 3.
struct LiteralEntry {
  static constexpr std::uint32_t literal = 6;
  // The section's end, or a symbol without a meaning.
  static constexpr std::uint32_t none = 7;

  std::uint32_t entry;

  __device__ std::uint32_t bits() const { return entry & entry_bits_mask; }
  // How many bits are extra, or one of the above.
  __device__ std::uint32_t kind() const { return entry >> 5 & 7; }
  __device__ std::uint32_t value() const { return entry >> 8; }

  __device__ static std::uint32_t of(std::uint32_t symbol_entry) {
    constexpr std::uint32_t length_mask = (1U << DeflateTables::code_length_bits) - 1;
    const std::uint32_t symbol = symbol_entry >> DeflateTables::code_length_bits;
    const std::uint32_t bits = symbol_entry & length_mask;
    if (bits == 0) return 0;
    if (symbol < end_of_section) return symbol << 8 | literal << 5 | bits;
    // The end of the section becomes a large number.
    const std::uint32_t length_symbol = symbol - end_of_section - 1;
    if (length_symbol > last_length_symbol) return none << 5 | bits;
    const std::uint32_t extra_bits = extra_bits_of_length(length_symbol);
    const std::uint32_t least = least_length(length_symbol) - format::codag::deflate_shortest_match;
    return least << 8 | extra_bits << 5 | (bits + extra_bits);
  }
};

// An entry for a distance: its bits with the extra ones, how many are extra, and the factor of their power of
// two in the shortest such distance less 1.
struct DistanceEntry {
  // In place of the bits: a symbol without a meaning.
  static constexpr std::uint32_t none = 31;

  std::uint32_t entry;

  __device__ std::uint32_t bits() const { return entry & entry_bits_mask; }
  __device__ std::uint32_t extra_bits() const { return entry >> 5 & 15; }
  __device__ std::uint32_t factor() const { return entry >> 9; }

  __device__ static std::uint32_t of(std::uint32_t symbol_entry) {
    constexpr std::uint32_t length_mask = (1U << DeflateTables::code_length_bits) - 1;
    const std::uint32_t symbol = symbol_entry >> DeflateTables::code_length_bits;
    const std::uint32_t bits = symbol_entry & length_mask;
    if (bits == 0) return 0;
    if (symbol > last_distance_symbol) return none;
    if (symbol < 4) return symbol << 9 | bits;
    const std::uint32_t extra_bits = symbol / 2 - 1;
    return (2 + symbol % 2) << 9 | extra_bits << 5 | (bits + extra_bits);
  }
};

struct SubstreamTables : DeflateTables {
  // As those of DeflateTables. Symbols are needed where elements are decoded one after the other.
  template <typename Input>
  __device__ std::uint32_t fetch_literal(Input& input) const {
    return literals.fetch_without_entries(input);
  }
  template <typename Input>
  __device__ std::uint32_t fetch_distance(Input& input) const {
    return distances.fetch_without_entries(input);
  }
  template <typename Team>
  __device__ void fill_entries() {
    literals.template fill_entries<Team, LiteralEntry>();
    distances.template fill_entries<Team, DistanceEntry>();
  }
};

// An element as a lane sees it.
struct LaneElement {
  // 0 where it is the section's end, or no element.
  std::uint32_t bits;
  std::uint32_t bytes;
  bool is_match;
  // Of a match.
  std::uint32_t distance;
  std::uint32_t literal;
};

__device__ inline std::uint32_t lowest_bits(std::uint32_t bits, std::uint32_t count) {
  return bits & ((std::uint32_t{1} << count) - 1);
}

__device__ inline LaneElement element_at(const BitWindow& window, const SubstreamTables& tables) {
  constexpr LaneElement none = {.bits = 0, .bytes = 0, .is_match = false, .distance = 0, .literal = 0};
  const auto& literals = tables.literals;
  const auto& distances = tables.distances;
  const std::uint32_t bits = window.first_bits();
  LiteralEntry first = {literals.entries[lowest_bits(bits, literals.index_bits)]};
  if (first.bits() == 0) first.entry = LiteralEntry::of(literals.find_longer(bits));
  const std::uint32_t extra_bits = first.kind();
  if (extra_bits == LiteralEntry::literal) {
    return {.bits = first.bits(), .bytes = 1, .is_match = false, .distance = 0, .literal = first.value()};
  }
  if (extra_bits == LiteralEntry::none) return none;
  const std::uint32_t length = format::codag::deflate_shortest_match + first.value() +
                               lowest_bits(bits >> (first.bits() - extra_bits), extra_bits);
  // A length has up to 20 bits, so that those of the table's index are there.
  DistanceEntry second = {distances.entries[lowest_bits(bits >> first.bits(), distances.index_bits)]};
  if (second.bits() == 0) {
    second.entry = DistanceEntry::of(distances.find_longer(window.later_bits(first.bits())));
  }
  if (second.bits() == DistanceEntry::none) return none;
  const std::uint32_t all_bits = first.bits() + second.bits();
  const std::uint32_t extra_begin = all_bits - second.extra_bits();
  const std::uint32_t rest = all_bits < 32 ? bits >> extra_begin : window.later_bits(extra_begin);
  const std::uint32_t extra = lowest_bits(rest, second.extra_bits());
  return {.bits = all_bits,
          .bytes = length,
          .is_match = true,
          .distance = 1 + (second.factor() << second.extra_bits()) + extra,
          .literal = 0};
}

}  // namespace
}  // namespace gsst::codag
