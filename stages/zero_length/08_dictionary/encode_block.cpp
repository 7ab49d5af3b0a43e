#include "stages/zero_length/08_dictionary/encode_block.hpp"

#include <algorithm>
#include <cstring>

#include "common/format/bytes.hpp"
#include "common/format/zero_length/dictionary.hpp"
#include "stages/zero_length/08_dictionary/value_table.hpp"

namespace gsst::zero_length::dictionary {
namespace {

using format::store_little_endian;
using format::zero_length::dictionary_count_bytes;
using format::zero_length::dictionary_header_bytes;
using format::zero_length::dictionary_places;
using format::zero_length::DictionaryPlaces;
using format::zero_length::float_bytes;
using format::zero_length::index_bits;

constexpr std::size_t alignment = 8;
// A store of indexes writes so many bytes.
constexpr std::size_t store_bytes = 8;

// Where the encoder works, in memory whose size encoding_room() says.
struct Workplace {
  Workplace(std::uint8_t* room, std::uint32_t most_values, std::size_t floats) {
    // The indexes are packed into the payload from the front. They stay behind the numbers that they are made
    // of, since an index has fewer bytes than a number, if these start where the largest dictionary ends.
    std::uint8_t* const end_of_values = room + dictionary_header_bytes + float_bytes * most_values;
    numbers = aligned<std::uint32_t>(end_of_values + store_bytes);
    numbered = aligned<ValueTable::Numbered>(reinterpret_cast<std::uint8_t*>(numbers + floats));
    slots = numbered + most_values;
  }

  // Of each float the number of its value, in the order in which values are met.
  std::uint32_t* numbers;
  ValueTable::Numbered* numbered;
  std::uint64_t* slots;

private:
  template <typename Entry>
  static Entry* aligned(std::uint8_t* from) {
    const auto past = reinterpret_cast<std::uintptr_t>(from) % alignment;
    return reinterpret_cast<Entry*>(from + (past == 0 ? 0 : alignment - past));
  }
};

// Returns whether the floats have at most as many values as the table takes.
bool number_floats(std::span<const std::uint8_t> block, ValueTable& table, std::uint32_t most_values,
                   std::uint32_t* numbers) {
  const std::size_t floats = block.size() / float_bytes;
  for (std::size_t i = 0; i < floats; ++i) {
    std::uint32_t value;
    std::memcpy(&value, block.data() + i * float_bytes, float_bytes);
    const std::uint32_t number = table.number_of(value);
    if (number == most_values) return false;
    numbers[i] = number;
  }
  return true;
}

// Sorts the values and writes them. Leaves in `ranks` the place of each number's value.
void write_values(std::span<ValueTable::Numbered> numbered, std::uint32_t* ranks, std::uint8_t* values) {
  std::ranges::sort(numbered);
  for (std::size_t rank = 0; rank < numbered.size(); ++rank) {
    store_little_endian<float_bytes>(values + rank * float_bytes, numbered[rank] >> 32);
    ranks[static_cast<std::uint32_t>(numbered[rank])] = static_cast<std::uint32_t>(rank);
  }
}

// Eight bytes are stored for each index, and it is not asked how many of them are new: no branch.
void write_indexes(std::span<const std::uint32_t> numbers, const std::uint32_t* ranks, std::uint32_t bits,
                   std::uint8_t* output) {
  std::uint64_t waiting = 0;
  std::uint32_t waiting_bits = 0;
  for (const std::uint32_t number : numbers) {
    waiting |= std::uint64_t{ranks[number]} << waiting_bits;
    store_little_endian<store_bytes>(output, waiting);
    waiting_bits += bits;
    output += waiting_bits / 8;
    waiting >>= waiting_bits / 8 * 8;
    waiting_bits %= 8;
  }
}

}  // namespace

std::size_t encode_block(std::span<const std::uint8_t> block, std::span<std::uint8_t> room) {
  const std::uint32_t most_values = format::zero_length::most_paying_values(block.size());
  if (most_values == 0) return block.size();
  const std::size_t floats = block.size() / float_bytes;
  const Workplace work(room.data(), most_values, floats);
  ValueTable table(work.numbered, work.slots, most_values);
  if (!number_floats(block, table, most_values, work.numbers)) return block.size();

  const std::uint32_t count = table.count();
  const DictionaryPlaces places = dictionary_places(count, block.size());
  std::uint8_t* const payload = room.data();
  store_little_endian<dictionary_count_bytes>(payload, count);
  payload[dictionary_count_bytes] = static_cast<std::uint8_t>(index_bits(count));
  // The table has done its work, and has twice the room.
  auto* const ranks = reinterpret_cast<std::uint32_t*>(work.slots);
  write_values({work.numbered, count}, ranks, payload + dictionary_header_bytes);
  write_indexes({work.numbers, floats}, ranks, index_bits(count), payload + places.indexes);
  std::memcpy(payload + places.rest, block.data() + floats * float_bytes, block.size() % float_bytes);
  return places.end;
}

}  // namespace gsst::zero_length::dictionary
