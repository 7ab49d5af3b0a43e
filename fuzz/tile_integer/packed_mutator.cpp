#include "fuzz/tile_integer/packed_mutator.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "fuzz/byte_changes.hpp"
#include "fuzz/tile_integer/integer_payload.hpp"
#include "fuzz/tile_integer/integer_seeds.hpp"

namespace gsst::fuzz {
namespace {

namespace integers = format::tile_integer;
using integers::Packing;
using integers::Type;

// The repairs of fields make a model of the whole block, so larger ones are left as they are.
constexpr std::uint32_t most_repaired_bytes = std::uint32_t{1} << 16;

std::uint64_t border_number(Random& random) {
  constexpr std::array<std::uint64_t, 9> borders = {0,
                                                    1,
                                                    0x7f,
                                                    0x7fff,
                                                    0x7fff'ffff,
                                                    0x8000'0000,
                                                    0xffff'ffff,
                                                    0x7fff'ffff'ffff'ffff,
                                                    0x8000'0000'0000'0000};
  const std::uint64_t border = borders[random.below(borders.size())];
  return random.one_in(2) ? border : ~border;
}

std::uint64_t border_or_any(Random& random) {
  return random.one_in(3) ? random.number() : border_number(random);
}

// Where decoders change their way of reading: at bytes, words and the limit of the type.
std::uint8_t choose_width(std::uint8_t now, std::uint32_t most, Random& random) {
  constexpr std::array<std::uint8_t, 10> borders = {7, 8, 9, 15, 16, 17, 31, 32, 33, 63};
  switch (random.below(4)) {
    case 0:
      return static_cast<std::uint8_t>(std::min<std::uint32_t>(now + 1U, most));
    case 1:
      return static_cast<std::uint8_t>(most - random.below(2));
    case 2:
      return static_cast<std::uint8_t>(random.below(2));
    default:
      return static_cast<std::uint8_t>(std::min<std::uint32_t>(borders[random.below(borders.size())], most));
  }
}

// One width. What a wider miniblock has more is mostly not 0.
void change_width(PackedNumbers& numbers, std::uint32_t most, Random& random) {
  const std::size_t part = random.below(numbers.widths.size());
  const std::uint8_t before = numbers.widths[part];
  numbers.widths[part] = choose_width(before, most, random);
  if (before >= 64 || random.one_in(4)) return;
  for (std::size_t i = 0; i < numbers.part_numbers(); ++i) {
    numbers.bits[part * numbers.part_numbers() + i] |= random.number() << before;
  }
}

void change_numbers(PackedNumbers& numbers, Random& random) {
  const std::size_t part = random.below(numbers.widths.size()) * numbers.part_numbers();
  const auto of_part = std::span(numbers.bits).subspan(part, numbers.part_numbers());
  switch (random.below(3)) {
    case 0:
      std::ranges::fill(of_part, ~std::uint64_t{0});
      break;
    case 1:
      for (std::uint64_t& bits : of_part) bits = random.number();
      break;
    default:
      of_part[random.below(of_part.size())] = border_number(random);
  }
}

// One length grows by what another one loses.
void move_values_between_runs(std::vector<std::uint32_t>& lengths, Random& random) {
  std::uint32_t& from = lengths[random.below(lengths.size())];
  std::uint32_t& to = lengths[random.below(lengths.size())];
  const std::uint32_t moved = random.one_in(2) ? from - 1 : random.below(from);
  from -= moved;
  to += moved;
}

// Inserts a stored number of the stream before number `place` of `count`, the same one.
void repeat_number(PackedNumbers& numbers, std::size_t place, std::size_t count) {
  const auto at = numbers.bits.begin() + static_cast<std::ptrdiff_t>(place);
  numbers.bits.insert(at, *at);
  if (count % integers::miniblock_values == 0) {
    numbers.widths.push_back(numbers.widths.back());
    numbers.bits.resize(numbers.widths.size() * integers::miniblock_values);
  } else {
    numbers.bits.pop_back();
  }
}

// Two runs of one, with equal values unless they are in miniblocks of two widths.
void split_run(PackedUnit& unit, std::vector<std::uint32_t>& lengths, Random& random) {
  const std::uint32_t run = random.below(lengths.size());
  if (lengths[run] < 2) return;
  const std::uint32_t first = 1 + random.below(lengths[run] - 1);
  lengths[run] -= first;
  lengths.insert(lengths.begin() + run, first);
  repeat_number(unit.values, run, unit.runs);
  ++unit.runs;
}

void split_all_runs(PackedUnit& unit, std::vector<std::uint32_t>& lengths, std::uint32_t values) {
  const std::size_t miniblocks = (values + integers::miniblock_values - 1) / integers::miniblock_values;
  unit.values.widths.resize(miniblocks, unit.values.widths.back());
  const std::vector<std::uint64_t> bits = unit.values.bits;
  unit.values.bits.resize(miniblocks * integers::miniblock_values);
  for (std::size_t i = 0; i < unit.values.bits.size(); ++i) unit.values.bits[i] = bits[i % unit.runs];
  unit.runs = values;
  lengths.assign(values, 1);
}

void keep_first_run(PackedUnit& unit, std::vector<std::uint32_t>& lengths, std::uint32_t values) {
  unit.runs = 1;
  unit.values.widths.resize(1);
  unit.values.bits.resize(integers::miniblock_values);
  lengths.assign(1, values);
}

// `values`: of the run block.
void change_runs(PackedUnit& unit, std::uint32_t values, Random& random) {
  std::vector<std::uint32_t> lengths = lengths_of_runs(unit);
  std::uint32_t reference = static_cast<std::uint32_t>(unit.lengths.reference);
  switch (random.below(6)) {
    case 0:
      split_run(unit, lengths, random);
      break;
    case 1:
      split_all_runs(unit, lengths, values);
      break;
    case 2:
      keep_first_run(unit, lengths, values);
      break;
    case 3:
      // Below 1 it wraps.
      reference = *std::ranges::min_element(lengths) - random.below(integers::run_block_values);
      break;
    case 4:
      change_width(unit.lengths, integers::max_length_width, random);
      // Other bits are other lengths, which are put right once all is changed.
      return;
    default:
      move_values_between_runs(lengths, random);
  }
  set_lengths_of_runs(unit, lengths, reference);
}

void change_unit(IntegerPayload& payload, std::size_t number, Random& random) {
  PackedUnit& unit = payload.units[number];
  const bool has_runs = payload.packing == Packing::runs;
  switch (random.below(has_runs ? 8 : 5)) {
    case 0:
      unit.values.reference = border_or_any(random);
      break;
    case 1:
      unit.base = border_or_any(random);
      break;
    case 2:
      change_numbers(unit.values, random);
      break;
    case 3:
    case 4:
      change_width(unit.values, payload.type_shape().max_width(), random);
      break;
    default:
      change_runs(unit, payload.values_of(number), random);
  }
}

void change_type(IntegerPayload& payload, Random& random) {
  constexpr std::array<Type, integers::type_count> others = {Type::i16, Type::i8,  Type::u32,
                                                             Type::i32, Type::u64, Type::i64};
  // Mostly of the same size, so that most of the payload stays as it is.
  payload.type = random.one_in(3) ? static_cast<Type>(random.below(integers::type_count))
                                  : others[static_cast<std::size_t>(payload.type)];
}

// What still gives a payload that the rules accept.
void change_payload(IntegerPayload& payload, const IntegerPayload& other, Random& random) {
  const std::uint32_t choice = random.below(16);
  if (choice < 2 || payload.units.empty()) {
    change_type(payload, random);
  } else if (choice == 2 && !other.units.empty()) {
    // A unit of another block, whatever its type.
    payload.units[random.below(payload.units.size())] = other.units[random.below(other.units.size())];
  } else if (choice == 3) {
    const Region all = {.begin = 0, .size = payload.rest.size()};
    change_byte(payload.rest, all, random);
  } else {
    // The last one often: it may have fewer values.
    const std::size_t last = payload.units.size() - 1;
    change_unit(payload, random.one_in(4) ? last : random.below(payload.units.size()), random);
  }
}

void change_word(std::vector<std::uint8_t>& bytes, std::size_t place, Random& random) {
  if (place + integers::word_bytes > bytes.size()) return;
  std::uint64_t word = format::load_little_endian<integers::word_bytes>(&bytes[place]);
  if (random.one_in(2)) {
    word = border_or_any(random);
  } else {
    random.one_in(2) ? ++word : --word;
  }
  format::store_little_endian<integers::word_bytes>(&bytes[place], word);
}

void cut_or_lengthen(std::vector<std::uint8_t>& bytes, Random& random) {
  const std::size_t change = std::size_t{integers::payload_alignment} * (1 + random.below(3));
  if (random.one_in(2) && bytes.size() > change) {
    bytes.resize(bytes.size() - change);
  } else {
    bytes.resize(bytes.size() + change);
  }
}

// Breaks one rule, as far as a change of one field can be told to.
void break_a_rule(std::vector<std::uint8_t>& bytes, const IntegerPayload& payload, Random& random) {
  const std::size_t starts = payload.units.size() + 1;
  const std::size_t first_unit = std::size_t{payload.shape().first_start()} * integers::word_bytes;
  switch (random.below(9)) {
    case 0:
      bytes[integers::type_offset] = random.byte();
      break;
    case 1:
      change_word(bytes, integers::largest_offset, random);
      break;
    case 2:
      change_word(bytes, integers::value_count_offset, random);
      break;
    case 3:
      change_byte(bytes, {.begin = random.one_in(2) ? 1U : 12U, .size = 3}, random);
      break;
    case 4:
      bytes.back() = random.byte();
      break;
    case 5:
      cut_or_lengthen(bytes, random);
      break;
    case 6:
      change_word(bytes, integers::header_bytes + std::size_t{random.below(starts)} * integers::word_bytes,
                  random);
      break;
    default: {
      // Numbers of runs, references and widths: near the start of a unit.
      const std::size_t unit = random.below(starts);
      const std::size_t start =
          integers::word_bytes * format::load_little_endian<integers::word_bytes>(
                                     &bytes[integers::header_bytes + unit * integers::word_bytes]);
      const std::size_t begin = std::clamp(start, first_unit, bytes.size());
      change_byte(bytes, {.begin = begin, .size = std::min<std::size_t>(24, bytes.size() - begin)}, random);
    }
  }
}

// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns one by a pointer to its base.
class PackedMutator final : public PayloadMutator {
public:
  constexpr explicit PackedMutator(Packing packing) : packing_(packing) {}

  Seeds make_seeds(const reference::Codec& codec, std::size_t count, Random& random) const override {
    return make_integer_seeds(codec, count, random);
  }

  Block change(const Seeds& seeds, Random& random) const override {
    const Block& seed = any_seed(seeds, random);
    const Block& other = any_seed(seeds, random);
    const auto uncompressed_bytes = static_cast<std::uint32_t>(seeds.header.block_size);
    if (seed.layout == format::BlockLayout::raw) return PayloadMutator::change(seeds, random);
    IntegerPayload payload = read_integer_payload(seed.bytes, uncompressed_bytes, packing_);
    const IntegerPayload from = other.layout == format::BlockLayout::raw
                                    ? payload
                                    : read_integer_payload(other.bytes, uncompressed_bytes, packing_);
    for (std::uint32_t changes = 1 + random.below(4); changes > 0; --changes) {
      change_payload(payload, from, random);
      repair_integer_payload(payload);
    }
    Block block = {.layout = seed.layout, .bytes = write_integer_payload(payload)};
    if (random.one_in(6)) break_a_rule(block.bytes, payload, random);
    return block;
  }

  std::uint32_t repair_fields(Block& block, const format::FrameHeader& /*header*/, std::uint32_t stated,
                              Random& random) const override {
    if (block.bytes.size() < integers::header_bytes || stated > most_repaired_bytes) return stated;
    if (random.one_in(32)) return stated;
    IntegerPayload payload = read_integer_payload(block.bytes, stated, packing_);
    repair_integer_payload(payload);
    block.bytes = write_integer_payload(payload);
    return stated;
  }

private:
  static const Block& any_seed(const Seeds& seeds, Random& random) {
    return seeds.blocks[random.below(seeds.blocks.size())];
  }

  Packing packing_;
};

constexpr std::array<PackedMutator, 5> packed_mutators = {
    PackedMutator(Packing::values), PackedMutator(Packing::chains), PackedMutator(Packing::runs),
    PackedMutator(Packing::interleaved), PackedMutator(Packing::bits)};

}  // namespace

const PayloadMutator& packed_mutator(Packing packing) {
  return packed_mutators[static_cast<std::size_t>(packing)];
}

}  // namespace gsst::fuzz
