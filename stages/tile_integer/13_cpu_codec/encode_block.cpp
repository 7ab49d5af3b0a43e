#include "stages/tile_integer/13_cpu_codec/encode_block.hpp"

#include <array>
#include <cstring>

#include "common/format/payload_rules.hpp"
#include "stages/tile_integer/13_cpu_codec/encode_units.hpp"

namespace gsst::tile_integer::cpu {
namespace {

using format::tile_integer::Packing;
using format::tile_integer::Type;

// Writes unit `number`, of `count` values, and returns what follows it.
using WriteUnit = std::uint8_t* (*)(const std::uint8_t* from, std::size_t number, std::size_t count,
                                    std::uint8_t* to);

template <typename Value, Packing Packed>
std::uint8_t* write_unit(const std::uint8_t* from, [[maybe_unused]] std::size_t number, std::size_t count,
                         std::uint8_t* to) {
  if constexpr (Packed == Packing::values) {
    return write_values<Value>(from, count, to);
  } else if constexpr (Packed == Packing::chains) {
    return write_differences<Value>(from, count, number % format::tile_integer::packed_blocks_of_chain == 0,
                                    to);
  } else {
    return write_runs<Value>(from, count, to);
  }
}

// By type.
template <Packing Packed>
constexpr std::array<WriteUnit, format::tile_integer::type_count> units_of = {
    write_unit<std::int8_t, Packed>,   write_unit<std::int16_t, Packed>, write_unit<std::int32_t, Packed>,
    write_unit<std::uint32_t, Packed>, write_unit<std::int64_t, Packed>, write_unit<std::uint64_t, Packed>};

WriteUnit unit_of(Packing packing, Type type) {
  const auto number = static_cast<std::size_t>(type);
  switch (packing) {
    case Packing::values:
      return units_of<Packing::values>[number];
    case Packing::chains:
      return units_of<Packing::chains>[number];
    default:
      return units_of<Packing::runs>[number];
  }
}

// Of the largest unit of any type.
constexpr std::size_t most_bytes_of_unit =
    bytes_of_word * std::max<std::size_t>(
                        most_words_of_block<std::uint64_t>,
                        format::tile_integer::max_run_block_words(format::tile_integer::shape_of(Type::u64)));

// Writes units into a room that may be too small for them.
class UnitWriter {
public:
  UnitWriter(WriteUnit write, std::span<std::uint8_t> room) : write_(write), room_(room) {}

  // Returns the bytes of the unit at byte `position`, or 0 where there is no room for it.
  std::size_t append(const std::uint8_t* from, std::size_t number, std::size_t count, std::size_t position) {
    std::uint8_t* const to = room_.data() + position;
    const std::size_t left = room_.size() - position;
    if (left >= most_bytes_of_unit) return static_cast<std::size_t>(write_(from, number, count, to) - to);
    std::array<std::uint8_t, most_bytes_of_unit> unit;
    const auto bytes = static_cast<std::size_t>(write_(from, number, count, unit.data()) - unit.data());
    if (bytes > left) return 0;
    std::memcpy(to, unit.data(), bytes);
    return bytes;
  }

private:
  WriteUnit write_;
  std::span<std::uint8_t> room_;
};

}  // namespace

std::size_t encode_block(std::span<const std::uint8_t> block, Packing packing, Type type,
                         std::span<std::uint8_t> room) {
  using namespace format::tile_integer;  // NOLINT(google-build-using-namespace): the format that is coded
                                         // here
  const std::size_t does_not_pay = room.size();
  const std::size_t unit_values = values_of_unit(packing);
  const std::size_t value_bytes = shape_of(type).value_bytes;
  const BlockShape shape =
      block_shape(type, static_cast<std::uint32_t>(block.size()), values_of_unit(packing));
  std::size_t position = std::size_t{shape.first_start()} * word_bytes;
  if (position >= room.size()) return does_not_pay;
  UnitWriter units(unit_of(packing, type), room);
  std::memset(room.data(), 0, header_bytes);
  std::uint8_t* start = room.data() + header_bytes;
  std::size_t largest = 0;
  for (std::size_t unit = 0; unit < shape.units; ++unit, start += word_bytes) {
    store_at(start, static_cast<std::uint32_t>(position / word_bytes));
    const std::size_t first = unit * unit_values;
    const std::size_t bytes = units.append(block.data() + first * value_bytes, unit,
                                           std::min(unit_values, shape.values - first), position);
    if (bytes == 0) return does_not_pay;
    largest = std::max(largest, bytes);
    position += bytes;
  }
  store_at(start, static_cast<std::uint32_t>(position / word_bytes));
  room[type_offset] = static_cast<std::uint8_t>(type);
  store_at(room.data() + largest_offset, static_cast<std::uint32_t>(largest / word_bytes));
  store_at(room.data() + value_count_offset, shape.values);
  const std::size_t end = position + shape.rest_bytes;
  const std::size_t padded = format::padded_payload_bytes(end, payload_alignment);
  if (padded >= room.size()) return does_not_pay;
  std::memcpy(room.data() + position, block.data() + block.size() - shape.rest_bytes, shape.rest_bytes);
  std::memset(room.data() + end, 0, padded - end);
  return padded;
}

}  // namespace gsst::tile_integer::cpu
