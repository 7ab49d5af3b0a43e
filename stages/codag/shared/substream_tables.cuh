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

// Of both kinds of entries: the bits of what the entry speaks of, 0 where a table's entry does not say it.
constexpr std::uint32_t entry_bits_mask = 31;

// An entry for a literal, or for a length: its bits with the extra ones, how many are extra, and the literal
// or the shortest such length less 3.
struct LiteralEntry {
  static constexpr std::uint32_t literal = 6;
  // The section's end, of value 0, or a symbol without a meaning.
  static constexpr std::uint32_t none = 7;

  std::uint32_t entry;

  __device__ std::uint32_t bits() const { return entry & entry_bits_mask; }
  // How many bits are extra, or one of the above.
  __device__ std::uint32_t kind() const { return entry >> 5 & 7; }
  __device__ std::uint32_t value() const { return entry >> 8; }

  // As of SymbolEntry.
  __device__ static std::uint32_t of(std::uint32_t symbol) {
    if (symbol < end_of_section) return symbol << 8 | literal << 5;
    if (symbol == end_of_section) return none << 5;
    const std::uint32_t length_symbol = symbol - end_of_section - 1;
    if (length_symbol > last_length_symbol) return 1 << 8 | none << 5;
    const std::uint32_t extra_bits = extra_bits_of_length(length_symbol);
    const std::uint32_t least = least_length(length_symbol) - format::codag::deflate_shortest_match;
    return least << 8 | extra_bits << 5 | extra_bits;
  }
  __device__ static std::uint32_t symbol_of(std::uint32_t of_symbol) {
    const LiteralEntry said = {of_symbol};
    if (said.kind() == literal) return said.value();
    if (said.kind() == none) return said.value() == 0 ? end_of_section : no_symbol;
    constexpr std::uint32_t longest =
        format::codag::deflate_longest_match - format::codag::deflate_shortest_match;
    const std::uint32_t first_length = end_of_section + 1;
    if (said.kind() == 0) return first_length + (said.value() == longest ? last_length_symbol : said.value());
    return first_length + 4 * (said.kind() + 1) + (said.value() >> said.kind()) % 4;
  }
  __device__ static std::uint32_t code_bits_of(std::uint32_t entry) {
    const LiteralEntry said = {entry};
    return said.bits() - (said.kind() < literal ? said.kind() : 0);
  }
};

// An entry for a distance: its bits with the extra ones, how many are extra, and the factor of their power of
// two in the shortest such distance less 1.
struct DistanceEntry {
  // Of a symbol without a meaning.
  static constexpr std::uint32_t none = 1U << 15;

  std::uint32_t entry;

  __device__ bool is_none() const { return entry >= none; }
  __device__ std::uint32_t bits() const { return entry & entry_bits_mask; }
  __device__ std::uint32_t extra_bits() const { return entry >> 5 & 15; }
  __device__ std::uint32_t factor() const { return entry >> 9; }

  // As of SymbolEntry.
  __device__ static std::uint32_t of(std::uint32_t symbol) {
    if (symbol > last_distance_symbol) return none;
    if (symbol < 4) return symbol << 9;
    const std::uint32_t extra_bits = symbol / 2 - 1;
    return (2 + symbol % 2) << 9 | extra_bits << 5 | extra_bits;
  }
  __device__ static std::uint32_t symbol_of(std::uint32_t entry) {
    const DistanceEntry said = {entry};
    if (said.is_none()) return no_symbol;
    return said.extra_bits() == 0 ? said.factor() : 2 * (said.extra_bits() + 1) + said.factor() % 2;
  }
  __device__ static std::uint32_t code_bits_of(std::uint32_t entry) {
    const DistanceEntry said = {entry};
    return said.bits() - said.extra_bits();
  }
};

struct SubstreamTables : DeflateTables {
  // As those of DeflateTables. Symbols are needed where elements are decoded one after the other.
  using SaidOfLiteral = LiteralEntry;
  using SaidOfDistance = DistanceEntry;

  template <typename Input>
  __device__ std::uint32_t fetch_literal(Input& input) const {
    return literals.fetch_said<LiteralEntry>(input);
  }
  template <typename Input>
  __device__ std::uint32_t fetch_distance(Input& input) const {
    return distances.fetch_said<DistanceEntry>(input);
  }
};

__device__ inline std::uint32_t lowest_bits(std::uint32_t bits, std::uint32_t count) {
  return bits & ((std::uint32_t{1} << count) - 1);
}

// The element at a lane's place: calls take_literal(literal) or take_match(length, distance), and gives its
// bits; 0, and no call, where it is the section's end, or no element.
template <typename TakeLiteral, typename TakeMatch>
__device__ inline std::uint32_t take_element(const BitWindow& window, const SubstreamTables& tables,
                                             TakeLiteral&& take_literal, TakeMatch&& take_match) {
  const auto& literals = tables.literals;
  const auto& distances = tables.distances;
  const std::uint32_t bits = window.first_bits();
  LiteralEntry first = {literals.entries[lowest_bits(bits, literals.index_bits)]};
  if (first.bits() == 0) first.entry = literals.find_longer(bits);
  const std::uint32_t extra_bits = first.kind();
  if (extra_bits >= LiteralEntry::literal) {
    if (extra_bits == LiteralEntry::none) return 0;
    take_literal(first.value());
    return first.bits();
  }
  const std::uint32_t length = format::codag::deflate_shortest_match + first.value() +
                               lowest_bits(bits >> (first.bits() - extra_bits), extra_bits);
  // A length has up to 20 bits, so that those of the table's index are there.
  DistanceEntry second = {distances.entries[lowest_bits(bits >> first.bits(), distances.index_bits)]};
  if (second.bits() == 0) second.entry = distances.find_longer(window.later_bits(first.bits()));
  if (second.is_none()) return 0;
  const std::uint32_t all_bits = first.bits() + second.bits();
  const std::uint32_t extra_begin = all_bits - second.extra_bits();
  const std::uint32_t rest = all_bits < 32 ? bits >> extra_begin : window.later_bits(extra_begin);
  const std::uint32_t distance =
      1 + (second.factor() << second.extra_bits()) + lowest_bits(rest, second.extra_bits());
  take_match(length, distance);
  return all_bits;
}

}  // namespace
}  // namespace gsst::codag
