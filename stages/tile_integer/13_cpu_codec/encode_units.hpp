#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "common/format/tile_integer/tile_integer.hpp"
#include "stages/tile_integer/shared/cpu_words.hpp"

/// The packed blocks and run blocks of values of a type: `Value` is std::int8_t for type i8, and so on.
namespace gsst::tile_integer::cpu {
namespace {

/// What the bits of references and differences are taken from: values widened to 32 bits, or of 64.
template <typename Value>
using NumberOf = std::conditional_t<sizeof(Value) == 8, std::uint64_t, std::uint32_t>;

template <typename Value>
NumberOf<Value> widened(Value value) {
  using Number = NumberOf<Value>;
  if constexpr (std::is_signed_v<Value>) {
    return static_cast<Number>(static_cast<std::make_signed_t<Number>>(value));
  } else {
    return static_cast<Number>(value);
  }
}

// Miniblocks are filled up with a number that there is: loops whose bounds the compiler knows are those that
// it makes vector instructions of.
template <typename Number>
void fill_up(Number* numbers, std::size_t count, std::size_t miniblocks, Number with) {
  for (std::size_t i = count; i < miniblocks * values_of_miniblock; ++i) numbers[i] = with;
}

// The smallest number of so many miniblocks, at least one, in the order of `Order`.
template <typename Order, typename Number>
Number smallest_of(const Number* numbers, std::size_t miniblocks) {
  auto least = static_cast<Order>(numbers[0]);
  for (std::size_t miniblock = 0; miniblock < miniblocks; ++miniblock, numbers += values_of_miniblock) {
    for (std::size_t i = 0; i < values_of_miniblock; ++i) {
      least = std::min(least, static_cast<Order>(numbers[i]));
    }
  }
  return static_cast<Number>(least);
}

// Writes a stream of numbers (FORMAT.md, section 12.3), none of which is below `reference`. `numbers` has
// place for all of the miniblocks, and is changed. Returns what follows the stream.
template <typename Number>
std::uint8_t* write_stream(Number* numbers, std::size_t count, std::size_t miniblocks, Number reference,
                           std::uint8_t* to) {
  store_at(to, reference);
  std::uint8_t* const widths = to + sizeof(Number);
  std::uint8_t* next = widths;
  for (std::size_t word = 0; word < (miniblocks + 3) / 4; ++word, next += bytes_of_word) {
    store_at(next, std::uint32_t{0});
  }
  for (std::size_t i = count; i < miniblocks * values_of_miniblock; ++i) numbers[i] = reference;
  for (std::size_t miniblock = 0; miniblock < miniblocks; ++miniblock, numbers += values_of_miniblock) {
    Number bits = 0;
    for (std::size_t i = 0; i < values_of_miniblock; ++i) {
      numbers[i] -= reference;
      bits |= numbers[i];
    }
    const auto width = static_cast<std::size_t>(std::bit_width(bits));
    widths[miniblock] = static_cast<std::uint8_t>(width);
    pack_miniblock<Number>[width](numbers, next);
    next += width * bytes_of_word;
  }
  return next;
}

// Format `for`: writes the packed block of 1 to 128 values, returns what follows it.
template <typename Value>
std::uint8_t* write_values(const std::uint8_t* from, std::size_t count, std::uint8_t* to) {
  NumberOf<Value> numbers[values_of_block];
  const auto number = [&](std::size_t i) { return widened(load_at<Value>(from + i * sizeof(Value))); };
  if (count == values_of_block) {
    for (std::size_t i = 0; i < values_of_block; ++i) numbers[i] = number(i);
  } else {
    for (std::size_t i = 0; i < count; ++i) numbers[i] = number(i);
    fill_up(numbers, count, miniblocks_of_block, number(0));
  }
  return write_stream(numbers, count, miniblocks_of_block, smallest_of<Value>(numbers, miniblocks_of_block),
                      to);
}

// Format `dfor`: the packed block of differences. The first is that from the value before, which precedes
// `from`, or where a chain begins what costs no bits, made up for by the base.
template <typename Value>
std::uint8_t* write_differences(const std::uint8_t* from, std::size_t count, bool begins_chain,
                                std::uint8_t* to) {
  using Number = NumberOf<Value>;
  using Unsigned = std::make_unsigned_t<Value>;
  using Signed = std::make_signed_t<Value>;
  const auto value = [&](std::size_t i) { return load_at<Unsigned>(from + i * sizeof(Value)); };
  const auto extended = [](auto number) { return widened(static_cast<Signed>(number)); };
  const auto difference = [&](std::size_t i) {
    return extended(static_cast<Unsigned>(value(i) - value(i - 1)));
  };
  Number numbers[values_of_block];
  if (count == values_of_block) {
    for (std::size_t i = 1; i < values_of_block; ++i) numbers[i] = difference(i);
  } else {
    for (std::size_t i = 1; i < count; ++i) numbers[i] = difference(i);
  }
  if (begins_chain) {
    numbers[0] = count == 1 ? Number{0} : difference(1);
  } else {
    numbers[0] = extended(static_cast<Unsigned>(value(0) - load_at<Unsigned>(from - sizeof(Value))));
  }
  fill_up(numbers, count, miniblocks_of_block, numbers[0]);
  const Number reference = smallest_of<std::make_signed_t<Number>>(numbers, miniblocks_of_block);
  if (begins_chain) {
    numbers[0] = reference;
    store_at(to, extended(static_cast<Number>(value(0) - reference)));
    to += sizeof(Number);
  }
  return write_stream(numbers, count, miniblocks_of_block, reference, to);
}

// Format `rfor`: the run block of 1 to 512 values.
template <typename Value>
std::uint8_t* write_runs(const std::uint8_t* from, std::size_t count, std::uint8_t* to) {
  using Number = NumberOf<Value>;
  constexpr std::size_t most_runs = format::tile_integer::run_block_values;
  Number values[most_runs];
  std::uint32_t ends[most_runs];
  std::size_t runs = 0;
  // Each value is stored as its run's, and the next run begins after the last of them: no branch.
  Value value = load_at<Value>(from);
  for (std::size_t i = 1; i < count; ++i) {
    const Value next = load_at<Value>(from + i * sizeof(Value));
    values[runs] = widened(value);
    ends[runs] = static_cast<std::uint32_t>(i);
    runs += next == value ? 0 : 1;
    value = next;
  }
  values[runs] = widened(value);
  ends[runs++] = static_cast<std::uint32_t>(count);
  std::uint32_t lengths[most_runs];
  lengths[0] = ends[0];
  for (std::size_t run = 1; run < runs; ++run) lengths[run] = ends[run] - ends[run - 1];
  const std::size_t miniblocks = (runs + values_of_miniblock - 1) / values_of_miniblock;
  fill_up(values, runs, miniblocks, values[0]);
  fill_up(lengths, runs, miniblocks, lengths[0]);
  store_at(to, static_cast<std::uint32_t>(runs));
  to = write_stream(values, runs, miniblocks, smallest_of<Value>(values, miniblocks), to + bytes_of_word);
  return write_stream(lengths, runs, miniblocks, smallest_of<std::uint32_t>(lengths, miniblocks), to);
}

}  // namespace
}  // namespace gsst::tile_integer::cpu
