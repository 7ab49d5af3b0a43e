#include "fuzz/tile_integer/integer_payload.hpp"

#include <algorithm>
#include <bit>

#include "common/format/bytes.hpp"
#include "common/format/part_size.hpp"
#include "common/format/payload_rules.hpp"
#include "common/format/tile_integer/bit_packing.hpp"

namespace gsst::fuzz {
namespace {

namespace integers = format::tile_integer;
using integers::Packing;
using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t word_bits = 32;

// Words of a payload, 0 past its end.
class WordReader {
public:
  WordReader(std::span<const std::uint8_t> payload, std::uint64_t word) : payload_(payload), word_(word) {}

  std::uint64_t place() const { return word_; }

  std::uint32_t next() {
    std::uint32_t word = 0;
    for (std::uint32_t byte = 0; byte < integers::word_bytes; ++byte) {
      const std::uint64_t place = word_ * integers::word_bytes + byte;
      if (place < payload_.size()) word |= std::uint32_t{payload_[place]} << (8 * byte);
    }
    ++word_;
    return word;
  }

  std::uint64_t next_number(std::uint32_t words) {
    std::uint64_t number = 0;
    for (std::uint32_t word = 0; word < words; ++word) number |= std::uint64_t{next()} << (word_bits * word);
    return number;
  }

  Words next_words(std::size_t count) {
    Words words(count);
    for (std::uint32_t& word : words) word = next();
    return words;
  }

private:
  std::span<const std::uint8_t> payload_;
  std::uint64_t word_;
};

void append_number(Words& words, std::uint64_t number, std::uint32_t count) {
  for (std::uint32_t word = 0; word < count; ++word) {
    words.push_back(static_cast<std::uint32_t>(number >> (word_bits * word)));
  }
}

// Calls `take`(word, its first bit, first bit of the number, bits) for each word that has some of the `width`
// bits from bit `place` on.
template <typename Take>
void for_words_of(std::size_t place, std::uint32_t width, const Take& take) {
  for (std::uint32_t done = 0; done < width;) {
    const auto first = static_cast<std::uint32_t>((place + done) % word_bits);
    const std::uint32_t bits = std::min(word_bits - first, width - done);
    take((place + done) / word_bits, first, done, bits);
    done += bits;
  }
}

std::uint64_t lowest(std::uint64_t word, std::uint32_t bits) {
  return word & ((std::uint64_t{1} << bits) - 1);
}

std::vector<std::uint64_t> unpacked(const Words& words, std::size_t count, std::uint32_t width) {
  std::vector<std::uint64_t> numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    for_words_of(i * width, width,
                 [&](std::size_t word, std::uint32_t first, std::uint32_t at, std::uint32_t bits) {
                   numbers[i] |= lowest(words[word] >> first, bits) << at;
                 });
  }
  return numbers;
}

Words packed(std::span<const std::uint64_t> numbers, std::uint32_t width) {
  Words words(numbers.size() * width / word_bits);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for_words_of(i * width, width,
                 [&](std::size_t word, std::uint32_t first, std::uint32_t at, std::uint32_t bits) {
                   words[word] |= static_cast<std::uint32_t>(lowest(numbers[i] >> at, bits) << first);
                 });
  }
  return words;
}

// From one word of each lane by turns to the words of each lane together.
Words by_lanes(const Words& words) {
  const std::size_t words_of_lane = words.size() / integers::interleaved_lanes;
  Words ordered(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    ordered[i] = words[i % words_of_lane * integers::interleaved_lanes + i / words_of_lane];
  }
  return ordered;
}

// The way back.
Words by_turns(const Words& words) {
  const std::size_t words_of_lane = words.size() / integers::interleaved_lanes;
  Words ordered(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    ordered[i % words_of_lane * integers::interleaved_lanes + i / words_of_lane] = words[i];
  }
  return ordered;
}

// The miniblocks after the widths.
void read_bits(WordReader& reader, PackedNumbers& numbers, std::size_t part_numbers, bool is_interleaved) {
  for (const std::uint8_t width : numbers.widths) {
    Words words = reader.next_words(part_numbers * width / word_bits);
    if (is_interleaved) words = by_lanes(words);
    const std::vector<std::uint64_t> bits = unpacked(words, part_numbers, width);
    numbers.bits.insert(numbers.bits.end(), bits.begin(), bits.end());
  }
}

void append_bits(Words& words, const PackedNumbers& numbers, bool is_interleaved) {
  const std::size_t part = numbers.part_numbers();
  for (std::size_t number = 0; number < numbers.widths.size(); ++number) {
    const Words of_part =
        packed(std::span(numbers.bits).subspan(number * part, part), numbers.widths[number]);
    const Words ordered = is_interleaved ? by_turns(of_part) : of_part;
    words.insert(words.end(), ordered.begin(), ordered.end());
  }
}

void clamp_widths(PackedNumbers& numbers, std::uint32_t most) {
  for (std::uint8_t& width : numbers.widths) {
    width = static_cast<std::uint8_t>(std::min<std::uint32_t>(width, most));
  }
}

// A reference, widths and miniblocks: a stream of a run block, or a packed block.
PackedNumbers read_stream(WordReader& reader, std::uint32_t miniblocks, std::uint32_t reference_words,
                          std::uint32_t max_width) {
  PackedNumbers stream = {.reference = reader.next_number(reference_words)};
  const Words words = reader.next_words(integers::words_of_widths(miniblocks));
  for (std::uint32_t i = 0; i < miniblocks; ++i) {
    stream.widths.push_back(static_cast<std::uint8_t>(words[i / 4] >> (8 * (i % 4))));
  }
  clamp_widths(stream, max_width);
  read_bits(reader, stream, integers::miniblock_values, false);
  return stream;
}

void append_stream(Words& words, const PackedNumbers& stream, std::uint32_t reference_words) {
  append_number(words, stream.reference, reference_words);
  const std::size_t first = words.size();
  words.resize(first + integers::words_of_widths(static_cast<std::uint32_t>(stream.widths.size())));
  for (std::size_t i = 0; i < stream.widths.size(); ++i) {
    words[first + i / 4] |= std::uint32_t{stream.widths[i]} << (8 * (i % 4));
  }
  append_bits(words, stream, false);
}

// `end`: where the next start says that the unit ends.
PackedUnit read_unit(WordReader& reader, const IntegerPayload& payload, std::size_t number,
                     std::uint64_t end) {
  const integers::TypeShape& type = payload.type_shape();
  PackedUnit unit;
  if (payload.packing == Packing::runs) {
    unit.runs = std::clamp(reader.next(), 1U, payload.values_of(number));
    const auto miniblocks =
        static_cast<std::uint32_t>(format::part_size(unit.runs, integers::miniblock_values));
    unit.values = read_stream(reader, miniblocks, type.reference_words, type.max_width());
    unit.lengths =
        read_stream(reader, miniblocks, integers::length_reference_words, integers::max_length_width);
    return unit;
  }
  if (payload.packing != Packing::interleaved && payload.packing != Packing::bits) {
    unit.base = reader.next_number(base_words(payload.packing, type, number));
    unit.values =
        read_stream(reader, integers::miniblocks_of_packed_block, type.reference_words, type.max_width());
    return unit;
  }
  // Only the starts say the width.
  const bool is_interleaved = payload.packing == Packing::interleaved;
  if (is_interleaved) unit.values.reference = reader.next_number(type.reference_words);
  const std::uint64_t words = end > reader.place() ? end - reader.place() : 0;
  const std::uint32_t numbers = values_of_unit(payload.packing);
  unit.values.widths = {
      static_cast<std::uint8_t>(std::min<std::uint64_t>(words * word_bits / numbers, type.max_width()))};
  read_bits(reader, unit.values, numbers, is_interleaved);
  return unit;
}

void append_unit(Words& words, const IntegerPayload& payload, std::size_t number) {
  const PackedUnit& unit = payload.units[number];
  const integers::TypeShape& type = payload.type_shape();
  switch (payload.packing) {
    case Packing::runs:
      words.push_back(unit.runs);
      append_stream(words, unit.values, type.reference_words);
      append_stream(words, unit.lengths, integers::length_reference_words);
      break;
    case Packing::interleaved:
      append_number(words, unit.values.reference, type.reference_words);
      append_bits(words, unit.values, true);
      break;
    case Packing::bits:
      append_bits(words, unit.values, false);
      break;
    default:
      append_number(words, unit.base, base_words(payload.packing, type, number));
      append_stream(words, unit.values, type.reference_words);
  }
}

// A unit of numbers of width 0.
PackedUnit empty_unit(const IntegerPayload& payload, std::size_t number) {
  PackedUnit unit;
  if (payload.packing == Packing::runs) {
    unit.runs = 1;
    unit.values = {.widths = {0}, .bits = std::vector<std::uint64_t>(integers::miniblock_values)};
    const std::uint32_t length = payload.values_of(number);
    set_lengths_of_runs(unit, {&length, 1}, length);
    return unit;
  }
  const bool has_miniblocks = payload.packing == Packing::values || payload.packing == Packing::chains;
  unit.values.widths.resize(has_miniblocks ? integers::miniblocks_of_packed_block : 1);
  unit.values.bits.resize(values_of_unit(payload.packing));
  return unit;
}

// Has the lengths add up to `values`: each leaves at least 1 for each later run, the last one takes the rest.
void repair_lengths(PackedUnit& unit, std::uint32_t values) {
  unit.runs = std::clamp(unit.runs, 1U, values);
  const std::size_t numbers =
      format::part_size(unit.runs, integers::miniblock_values) * integers::miniblock_values;
  for (PackedNumbers* const stream : {&unit.values, &unit.lengths}) {
    stream->bits.resize(numbers);
    stream->widths.resize(numbers / integers::miniblock_values);
  }
  const std::vector<std::uint32_t> stored = lengths_of_runs(unit);
  std::vector<std::uint32_t> lengths = stored;
  std::uint32_t left = values;
  for (std::uint32_t run = 0; run + 1 < unit.runs; ++run) {
    lengths[run] = std::clamp(lengths[run], 1U, left - (unit.runs - 1 - run));
    left -= lengths[run];
  }
  lengths.back() = left;
  if (lengths != stored) {
    set_lengths_of_runs(unit, lengths, static_cast<std::uint32_t>(unit.lengths.reference));
  }
}

}  // namespace

std::uint32_t IntegerPayload::values_of(std::size_t number) const {
  const std::uint32_t all = values_of_unit(packing);
  return std::min(all, shape().values - static_cast<std::uint32_t>(number) * all);
}

std::vector<std::uint32_t> lengths_of_runs(const PackedUnit& unit) {
  std::vector<std::uint32_t> lengths(unit.runs);
  for (std::uint32_t run = 0; run < unit.runs; ++run) {
    const std::uint32_t width = unit.lengths.widths[run / integers::miniblock_values];
    lengths[run] = static_cast<std::uint32_t>(unit.lengths.reference) +
                   static_cast<std::uint32_t>(unit.lengths.bits[run] & ((std::uint64_t{1} << width) - 1));
  }
  return lengths;
}

void set_lengths_of_runs(PackedUnit& unit, std::span<const std::uint32_t> lengths, std::uint32_t reference) {
  const auto reaches = [&](std::uint32_t length) {
    return length - reference < std::uint32_t{1} << integers::max_length_width;
  };
  if (!std::ranges::all_of(lengths, reaches)) reference = *std::ranges::min_element(lengths);
  const std::size_t miniblocks = format::part_size(lengths.size(), integers::miniblock_values);
  unit.lengths = {.reference = reference,
                  .widths = std::vector<std::uint8_t>(miniblocks),
                  .bits = std::vector<std::uint64_t>(miniblocks * integers::miniblock_values)};
  for (std::size_t run = 0; run < lengths.size(); ++run) {
    unit.lengths.bits[run] = lengths[run] - reference;
    std::uint8_t& width = unit.lengths.widths[run / integers::miniblock_values];
    width = std::max(width, static_cast<std::uint8_t>(std::bit_width(unit.lengths.bits[run])));
  }
}

IntegerPayload read_integer_payload(std::span<const std::uint8_t> payload, std::uint32_t uncompressed_bytes,
                                    Packing packing) {
  IntegerPayload parts = {
      .packing = packing,
      .uncompressed_bytes = uncompressed_bytes,
      .type = static_cast<integers::Type>(payload[integers::type_offset] % integers::type_count),
      .units = {},
      .rest = {}};
  const integers::BlockShape shape = parts.shape();
  WordReader starts(payload, integers::header_bytes / integers::word_bytes + 1);
  WordReader words(payload, shape.first_start());
  for (std::uint32_t unit = 0; unit < shape.units; ++unit) {
    parts.units.push_back(read_unit(words, parts, unit, starts.next()));
  }
  const std::uint64_t end = std::min<std::uint64_t>(words.place() * integers::word_bytes, payload.size());
  const auto rest = payload.subspan(end, std::min<std::uint64_t>(shape.rest_bytes, payload.size() - end));
  parts.rest.assign(rest.begin(), rest.end());
  parts.rest.resize(shape.rest_bytes);
  return parts;
}

void repair_integer_payload(IntegerPayload& payload) {
  const integers::BlockShape shape = payload.shape();
  payload.rest.resize(std::max<std::size_t>(payload.rest.size(), shape.rest_bytes));
  while (payload.units.size() < shape.units) {
    payload.units.push_back(empty_unit(payload, payload.units.size()));
  }
  payload.units.resize(shape.units);
  for (std::size_t number = 0; number < payload.units.size(); ++number) {
    PackedUnit& unit = payload.units[number];
    clamp_widths(unit.values, payload.type_shape().max_width());
    clamp_widths(unit.lengths, integers::max_length_width);
    if (payload.packing == Packing::runs) repair_lengths(unit, payload.values_of(number));
  }
}

std::vector<std::uint8_t> write_integer_payload(const IntegerPayload& payload) {
  const integers::BlockShape shape = payload.shape();
  Words words(shape.first_start());
  std::size_t largest = 0;
  const std::size_t first_start = integers::header_bytes / integers::word_bytes;
  for (std::size_t number = 0; number < payload.units.size(); ++number) {
    const std::size_t start = words.size();
    words[first_start + number] = static_cast<std::uint32_t>(start);
    append_unit(words, payload, number);
    largest = std::max(largest, words.size() - start);
  }
  words[first_start + payload.units.size()] = static_cast<std::uint32_t>(words.size());
  words[integers::largest_offset / integers::word_bytes] = static_cast<std::uint32_t>(largest);
  words[integers::value_count_offset / integers::word_bytes] = shape.values;
  words[0] = static_cast<std::uint32_t>(payload.type);
  std::vector<std::uint8_t> bytes(words.size() * integers::word_bytes);
  for (std::size_t word = 0; word < words.size(); ++word) {
    format::store_little_endian<integers::word_bytes>(&bytes[word * integers::word_bytes], words[word]);
  }
  const auto rest = std::span(payload.rest).first(shape.rest_bytes);
  bytes.insert(bytes.end(), rest.begin(), rest.end());
  bytes.resize(format::padded_payload_bytes(bytes.size(), integers::payload_alignment));
  return bytes;
}

}  // namespace gsst::fuzz
