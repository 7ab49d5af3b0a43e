#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/format/tile_integer/for_rules.hpp"
#include "common/format/tile_integer/tile_integer.hpp"

/// Payloads of formats for, dfor, rfor, ifor and bp, taken apart so that their fields can be changed and the
/// sizes that follow from them are right again.
namespace gsst::fuzz {

/// Numbers that are packed with one reference, as they are stored.
struct PackedNumbers {
  std::uint64_t reference = 0;
  /// Of each of the equal parts that `bits` has.
  std::vector<std::uint8_t> widths = {};
  /// What is stored of each number, those that fill a part up included. Interleaved ones lane by lane.
  std::vector<std::uint64_t> bits = {};

  std::size_t part_numbers() const { return bits.size() / widths.size(); }
};

/// A packed block, a run block or an interleaved block.
struct PackedUnit {
  /// Of a chain that begins here.
  std::uint64_t base = 0;
  PackedNumbers values = {};
  /// Of a run block; other units have none.
  std::uint32_t runs = 0;
  PackedNumbers lengths = {};
};

/// A payload of `packing` for `uncompressed_bytes`.
struct IntegerPayload {
  format::tile_integer::Packing packing;
  std::uint32_t uncompressed_bytes;
  format::tile_integer::Type type;
  std::vector<PackedUnit> units;
  /// At least as many as the block has beyond its last whole value.
  std::vector<std::uint8_t> rest;

  const format::tile_integer::TypeShape& type_shape() const { return shape_of(type); }
  format::tile_integer::BlockShape shape() const {
    return block_shape(type, uncompressed_bytes, values_of_unit(packing));
  }
  /// Of unit `number`, which the block has; the last one may have fewer than the others.
  std::uint32_t values_of(std::size_t number) const;
};

/// Reads a payload that may be damaged in any way but has a header: fields out of range are put into it, and
/// past its end it is 0. Takes time and memory for `uncompressed_bytes`, whatever the payload's size.
IntegerPayload read_integer_payload(std::span<const std::uint8_t> payload, std::uint32_t uncompressed_bytes,
                                    format::tile_integer::Packing packing);

/// Makes the payload one that the format's rules accept where its type, widths, numbers of runs or lengths
/// have been changed: with as many units as the type asks for, widths in range, and lengths that add up.
void repair_integer_payload(IntegerPayload& payload);

/// The bytes of a payload, with its padding. Numbers are cut to their widths, 64 at most.
std::vector<std::uint8_t> write_integer_payload(const IntegerPayload& payload);

/// The lengths of a unit's runs, as a decoder has them.
std::vector<std::uint32_t> lengths_of_runs(const PackedUnit& unit);

/// Packs `lengths`, at least one and each at least 1, with `reference` where 9 bits reach them all from
/// there, else with the smallest of them, and with the smallest width that does.
void set_lengths_of_runs(PackedUnit& unit, std::span<const std::uint32_t> lengths, std::uint32_t reference);

}  // namespace gsst::fuzz
