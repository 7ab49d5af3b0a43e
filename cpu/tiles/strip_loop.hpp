#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cpu/tiles/code_by_code.hpp"
#include "cpu/tiles/strip_decoders.hpp"

/// The decoder around the groups of an instruction set.
///
/// `Instructions::unpack<Kind>(table, codes, count, unpacked)` makes of `count` codes, whole groups, what
/// put_group() reads. `Instructions::put_group<Kind>(table, unpacked, first, at)` puts the symbols of the 64
/// codes from `first` of a batch at `at.output` and returns where the next go. It may write group_room bytes.
///
/// `Instructions::keeps_first_half` says whether put_group() takes and returns a first half that waits for
/// the next code. Else unpack() looks at the code before, and names the groups that have other halves than an
/// encoder writes: their codes are decoded one by one.
///
/// A batch is unpacked before the first of its symbols is put: a processor that reads what it has just stored
/// waits for it.
///
/// `Instructions` is a type of an unnamed namespace: the linker must not take for one processor what is
/// compiled for another.
namespace gsst::cpu::tiles {

/// A tile is a whole number of groups.
inline constexpr std::uint32_t group_codes = 64;
/// The output of a group has at most 512 bytes, and a store of 64 bytes may start where it ends.
inline constexpr std::ptrdiff_t group_room = 576;
/// Most codes that are unpacked at once. Those of more would take too much of the first-level cache.
inline constexpr std::uint32_t batch_codes = 256;

/// Codes as a tile stores them.
struct StoredCodes {
  /// A byte of each code: its lowest 8 bits, or the highest of 10.
  const std::uint8_t* bytes;
  /// The rest of each code, for 10 and 12 bits.
  const std::uint8_t* rest;
  /// Whether no code of the strip is before these.
  bool is_first;
};

/// A batch for put_group(). An instruction set fills what it reads.
struct UnpackedCodes {
  /// The codes of 8 bits, in the tile.
  const std::uint8_t* bytes;
  /// A bit for each group whose codes are to be decoded one by one.
  std::uint32_t odd_groups;
  /// Entries of the table's symbols.
  alignas(64) std::uint16_t indices[batch_codes];
  /// Of each code, what the instruction set makes of the length of its symbol.
  alignas(64) std::uint8_t lengths[batch_codes];
};

template <typename Instructions, CodeKind Kind>
class StripLoop {
public:
  StripLoop(const CodeTable& table, const StripCodes& strip, const StripOutput& output)
      : table_(table),
        strip_(strip),
        cursor_{.output = output.begin, .first_half = 0},
        end_(output.begin + output.bytes),
        room_end_(output.begin + output.room) {}

  StripProblem run() {
    const std::uint32_t whole_groups = strip_.codes / group_codes * group_codes;
    std::uint32_t count = 0;
    for (std::uint32_t begin = 0; begin < whole_groups; begin += count) {
      const std::uint32_t left_in_tile = strip_.tile_codes - begin % strip_.tile_codes;
      count = left_in_tile < whole_groups - begin ? left_in_tile : whole_groups - begin;
      if (count > batch_codes) count = batch_codes;
      if (!decode_batch(begin, count)) return StripProblem::output_too_long;
    }
    if (whole_groups != strip_.codes && !decode_one_by_one(whole_groups, strip_.codes)) {
      return StripProblem::output_too_long;
    }
    if (cursor_.output == end_) return StripProblem::none;
    return cursor_.output > end_ ? StripProblem::output_too_long : StripProblem::output_too_short;
  }

private:
  static constexpr bool has_halves = Kind == CodeKind::bits_8_with_halves;
  static constexpr std::uint32_t rest_bits = Kind == CodeKind::bits_12   ? 4
                                             : Kind == CodeKind::bits_10 ? 2
                                                                         : 0;

  // `count` codes of a tile from code `begin` of the strip.
  [[gnu::always_inline]] bool decode_batch(std::uint32_t begin, std::uint32_t count) {
    const std::uint8_t* const tile =
        strip_.first_tile + std::size_t{begin / strip_.tile_codes} * strip_.tile_bytes;
    const std::uint32_t in_tile = begin % strip_.tile_codes;
    const StoredCodes codes{.bytes = tile + in_tile,
                            .rest = tile + strip_.tile_codes + std::size_t{in_tile / 8} * rest_bits,
                            .is_first = begin == 0};
    unpacked_.bytes = codes.bytes;
    unpacked_.odd_groups = 0;
    Instructions::template unpack<Kind>(table_, codes, count, unpacked_);
    for (std::uint32_t first = 0; first < count; first += group_codes) {
      if (room_end_ - cursor_.output >= group_room && !is_odd(first)) {
        cursor_ = Instructions::template put_group<Kind>(table_, unpacked_, first, cursor_);
      } else if (!decode_carefully(first, begin + first)) {
        return false;
      }
    }
    return true;
  }

  // Whether put_group() does not decode the group from code `first` of the batch.
  bool is_odd(std::uint32_t first) const {
    if constexpr (!has_halves || Instructions::keeps_first_half) return false;
    return cursor_.first_half != 0 || (unpacked_.odd_groups >> (first / group_codes) & 1U) != 0;
  }

  // Near the end of the room, and halves that put_group() does not decode. The group is that from code
  // `first` of the batch, which is code `code` of the strip.
  [[gnu::noinline]] bool decode_carefully(std::uint32_t first, std::uint32_t code) {
    // A strip that has written too much already.
    if (cursor_.output > end_) return false;
    if (is_odd(first)) return decode_one_by_one(code, code + group_codes);
    alignas(64) std::uint8_t decoded[group_room];
    const StripCursor decoded_end = Instructions::template put_group<Kind>(
        table_, unpacked_, first, {.output = decoded, .first_half = cursor_.first_half});
    const std::ptrdiff_t bytes = decoded_end.output - decoded;
    if (bytes > end_ - cursor_.output) return false;
    std::memcpy(cursor_.output, decoded, static_cast<std::size_t>(bytes));
    cursor_ = {.output = cursor_.output + bytes, .first_half = decoded_end.first_half};
    return true;
  }

  bool decode_one_by_one(std::uint32_t begin, std::uint32_t end) {
    if (cursor_.output > end_) return false;
    if (has_halves && !Instructions::keeps_first_half && begin != 0 && cursor_.first_half == 0) {
      // A group leaves a first half that is its last code to the next, which looks at the byte before.
      const std::uint8_t before = strip_.first_tile[std::size_t{begin} - 1];
      if (before < 16) cursor_.first_half = std::uint64_t{before} << 4;
    }
    return decode_code_by_code(table_, strip_, begin, end, cursor_, end_);
  }

  const CodeTable& table_;
  const StripCodes& strip_;
  StripCursor cursor_;
  const std::uint8_t* end_;
  const std::uint8_t* room_end_;
  UnpackedCodes unpacked_;
};

template <typename Instructions>
StripProblem decode_strip_with(const CodeTable& table, const StripCodes& strip, const StripOutput& output) {
  switch (table.kind) {
    case CodeKind::bits_8:
      return StripLoop<Instructions, CodeKind::bits_8>(table, strip, output).run();
    case CodeKind::bits_8_with_halves:
      return StripLoop<Instructions, CodeKind::bits_8_with_halves>(table, strip, output).run();
    case CodeKind::bits_10:
      return StripLoop<Instructions, CodeKind::bits_10>(table, strip, output).run();
    case CodeKind::bits_12:
      break;
  }
  return StripLoop<Instructions, CodeKind::bits_12>(table, strip, output).run();
}

/// The 4 bytes at `bytes`: a processor loads a word in the time of one of its parts, and two or four codes
/// come out of it.
[[gnu::always_inline]] inline std::uint32_t load_word(const void* bytes) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

/// Keeps a compiler from reading the elements of an array out of vector registers one by one, which is slower
/// than to store these and to load the elements.
template <typename Array>
[[gnu::always_inline]] inline void keep_in_memory(Array& array) {
  asm volatile("" : "+m"(array));
}

}  // namespace gsst::cpu::tiles
