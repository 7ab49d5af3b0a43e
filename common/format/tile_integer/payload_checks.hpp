#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "common/format/tile_integer/tile_integer.hpp"

/// Checks that the rules of packed blocks and of run blocks share. They throw FormatError naming `block`.
namespace gsst::format::tile_integer {

/// What a message is about: "packed block" and its number, say.
struct Place {
  const char* what;
  std::uint32_t number;

  /// As it stands after what is wrong.
  std::string text() const { return std::string(" of ") + what + " " + std::to_string(number); }
};

/// A word that the payload has.
std::uint32_t word_at(std::span<const std::uint8_t> payload, std::uint64_t word);

/// Throws: the payload ends before `what`.
[[noreturn]] void throw_cut(std::span<const std::uint8_t> payload, const std::string& what,
                            std::uint64_t block);

/// Words of the miniblocks whose widths these bytes are, none of which may be above `max_width`.
std::uint32_t checked_miniblock_words(std::span<const std::uint8_t> widths, std::uint32_t max_width,
                                      const Place& place, std::uint64_t block);

}  // namespace gsst::format::tile_integer
