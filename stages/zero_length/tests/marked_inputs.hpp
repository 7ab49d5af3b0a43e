#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/format/zero_length/markers.hpp"
#include "stages/zero_length/tests/inputs.hpp"

/// What the tests of format zle_markers encode and decode.
namespace gsst::zero_length::test {

/// Markers near each border: counts that are plain, the run of four zeros, splits, and bytes after a marker
/// that are no counts.
inline constexpr std::array<std::uint8_t, 11> markers_tested = {1, 2, 3, 4, 5, 6, 251, 252, 253, 254, 255};

/// Markers without a code of four zeros, and with one that is one of 1, 4 and FD, or next to the marker.
inline std::vector<format::zero_length::Markers> codes_with(std::uint8_t marker) {
  std::vector<format::zero_length::Markers> all;
  const auto above = static_cast<std::uint8_t>(marker == 0xff ? 0xfe : marker + 1);
  for (const std::uint8_t code :
       {std::uint8_t{0}, std::uint8_t{1}, std::uint8_t{4}, std::uint8_t{0xfd}, above}) {
    if (code != marker) all.push_back({.marker = marker, .four_zeros = code});
  }
  return all;
}

/// Calls `visit` with each string of 1 to `longest` bytes of 00, 01, FC, FF and `marker`.
template <typename Visit>
void for_each_marked_string(std::size_t longest, std::uint8_t marker, const Visit& visit) {
  const std::array<std::uint8_t, 5> alphabet = {0x00, 0x01, 0xfc, 0xff, marker};
  std::size_t count = 1;
  for (std::size_t length = 1; length <= longest; ++length) {
    count *= alphabet.size();
    Bytes string(length);
    for (std::size_t number = 0; number < count; ++number) {
      std::size_t digits = number;
      for (std::uint8_t& byte : string) {
        byte = alphabet.at(digits % alphabet.size());
        digits /= alphabet.size();
      }
      visit(string);
    }
  }
}

/// The payload of a block, from the rules of FORMAT.md, section 11.4, by another way than any encoder: whole
/// runs are found first, and what becomes of them is looked up case by case.
inline Bytes marked_by_whole_runs(std::span<const std::uint8_t> block,
                                  const format::zero_length::Markers& markers) {
  const auto marker = static_cast<char>(markers.marker);
  const auto code = static_cast<char>(markers.four_zeros);
  const std::size_t split = markers.marker == 252 ? 251 : 252;
  const auto counted = [&](std::size_t zeros) { return std::string{marker, static_cast<char>(zeros)}; };
  const auto run = [&](std::size_t zeros) -> std::string {
    if (zeros <= 2 || (zeros == 3 && markers.marker == 3)) return std::string(zeros, '\0');
    if (zeros == 4 && code != 0) return {code};
    if (zeros == 5 && markers.marker == 5 && code != 0) return {code, '\0'};
    if (zeros == markers.marker) return counted(zeros - 1) + '\0';
    return counted(zeros);
  };
  const std::string input(block.begin(), block.end());
  std::string payload = {marker, code};
  for (std::size_t i = 0; i < input.size();) {
    const std::size_t zeros = std::min(input.find_first_not_of('\0', i), input.size()) - i;
    for (std::size_t whole = 0; whole < zeros / split; ++whole) payload += counted(split);
    payload += run(zeros % split);
    i += zeros;
    if (i == input.size()) break;
    const char byte = input[i++];
    if (byte == marker) {
      payload += counted(0);
    } else if (byte == code) {
      payload += counted(markers.marker == 0xfd ? 0xfe : 0xfd);
    } else {
      payload += byte;
    }
  }
  return {payload.begin(), payload.end()};
}

}  // namespace gsst::zero_length::test
