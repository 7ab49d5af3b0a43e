#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cpu/tiles/code_by_code.hpp"
#include "cpu/tiles/strip_decoders.hpp"

/// The decoder around the groups of an instruction set. `Instructions` has
///   decode_group<Kind>(table, codes, output)  decodes the 64 codes of `codes` and returns where their output
///                                             ends. It may write group_room bytes from `output`. Returns
///                                             null if it does not decode such halves: it has written
///                                             anything then, and the codes are decoded one by one.
/// It is a type of an unnamed namespace: the linker must not take for one processor what is compiled for
/// another.
namespace gsst::cpu::tiles {

/// A tile is a whole number of groups.
inline constexpr std::uint32_t group_codes = 64;
/// The output of a group has at most 512 bytes, and a store of 64 bytes may start where it ends.
inline constexpr std::ptrdiff_t group_room = 576;

/// The codes of a group as a tile stores them.
struct GroupCodes {
  /// A byte of each code: its lowest 8 bits, or the highest of 10.
  const std::uint8_t* bytes;
  /// The rest of each code, for 10 and 12 bits.
  const std::uint8_t* rest;
  /// Whether no code of the strip is before these.
  bool is_first;
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
    for (std::uint32_t begin = 0; begin < whole_groups; begin += strip_.tile_codes) {
      const std::uint32_t left = whole_groups - begin;
      if (!decode_groups(begin, left < strip_.tile_codes ? left : strip_.tile_codes)) {
        return StripProblem::output_too_long;
      }
    }
    if (whole_groups != strip_.codes && !decode_one_by_one(whole_groups, strip_.codes)) {
      return StripProblem::output_too_long;
    }
    if (cursor_.output == end_) return StripProblem::none;
    return cursor_.output > end_ ? StripProblem::output_too_long : StripProblem::output_too_short;
  }

private:
  static constexpr std::uint32_t rest_bits = Kind == CodeKind::bits_12   ? 4
                                             : Kind == CodeKind::bits_10 ? 2
                                                                         : 0;

  // `count` codes of the tile whose first code is code `begin` of the strip.
  [[gnu::always_inline]] bool decode_groups(std::uint32_t begin, std::uint32_t count) {
    const std::uint8_t* const tile =
        strip_.first_tile + std::size_t{begin / strip_.tile_codes} * strip_.tile_bytes;
    GroupCodes codes{.bytes = tile, .rest = tile + strip_.tile_codes, .is_first = begin == 0};
    const std::uint8_t* const bytes_end = tile + count;
    while (codes.bytes != bytes_end) {
      bool is_decoded = false;
      if (room_end_ - cursor_.output >= group_room && !waits_for_second_half()) {
        std::uint8_t* const output = Instructions::template decode_group<Kind>(table_, codes, cursor_.output);
        is_decoded = output != nullptr;
        if (is_decoded) cursor_.output = output;
      }
      if (!is_decoded) {
        const auto first = begin + static_cast<std::uint32_t>(codes.bytes - tile);
        if (!decode_carefully(codes, first)) return false;
      }
      codes.bytes += group_codes;
      codes.rest += std::size_t{group_codes / 8} * rest_bits;
      codes.is_first = false;
    }
    return true;
  }

  // Near the end of the room, and halves that no group decodes. The group is that of code `first`.
  [[gnu::noinline]] bool decode_carefully(const GroupCodes& codes, std::uint32_t first) {
    // A strip that has written too much already.
    if (cursor_.output > end_) return false;
    if (!waits_for_second_half()) {
      alignas(64) std::uint8_t decoded[group_room];
      const std::uint8_t* const decoded_end =
          Instructions::template decode_group<Kind>(table_, codes, decoded);
      if (decoded_end != nullptr) {
        const std::ptrdiff_t bytes = decoded_end - decoded;
        if (bytes > end_ - cursor_.output) return false;
        std::memcpy(cursor_.output, decoded, static_cast<std::size_t>(bytes));
        cursor_.output += bytes;
        return true;
      }
    }
    return decode_one_by_one(first, first + group_codes);
  }

  bool decode_one_by_one(std::uint32_t begin, std::uint32_t end) {
    if (cursor_.output > end_) return false;
    if (Kind == CodeKind::bits_8_with_halves && begin != 0 && cursor_.first_half == 0) {
      // A group leaves a first half that is its last code to the next, which looks at the byte before.
      const std::uint8_t before = strip_.first_tile[std::size_t{begin} - 1];
      if (before < 16) cursor_.first_half = std::uint64_t{before} << 4;
    }
    return decode_code_by_code(table_, strip_, begin, end, cursor_, end_);
  }

  bool waits_for_second_half() const {
    return Kind == CodeKind::bits_8_with_halves && cursor_.first_half != 0;
  }

  const CodeTable& table_;
  const StripCodes& strip_;
  StripCursor cursor_;
  const std::uint8_t* end_;
  const std::uint8_t* room_end_;
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

/// Keeps a compiler from reading the elements of an array out of vector registers one by one, which is slower
/// than to store these and to load the elements.
template <typename Array>
[[gnu::always_inline]] inline void keep_in_memory(Array& array) {
  asm volatile("" : "+m"(array));
}

}  // namespace gsst::cpu::tiles
