#pragma once

#include <cstdint>

#include "common/format/codag/codag.hpp"
#include "common/format/host_device.hpp"

/// What runs of format orc_rle_v2 are made of (FORMAT.md, section 13.5).
namespace gsst::format::codag {

/// The highest two bits of a run's first byte.
enum class RunKind : std::uint8_t { short_repeat = 0, direct = 1, patched_base = 2, delta = 3 };

inline constexpr std::uint32_t run_kind_shift = 6;

/// A short repeat's first byte says its values, less the fewest, in the lowest three bits, and the bytes of
/// its value, less 1, in the three above.
inline constexpr std::uint32_t fewest_repeats = 3;
inline constexpr std::uint32_t most_repeats = 10;

/// Most values of the other runs: nine bits, less 1.
inline constexpr std::uint32_t longest_wide_run = 512;
/// Bytes before what a run of each kind holds.
inline constexpr std::uint32_t repeat_header_bytes = 1;
inline constexpr std::uint32_t direct_header_bytes = 2;
inline constexpr std::uint32_t patched_header_bytes = 4;
inline constexpr std::uint32_t delta_header_bytes = 2;

inline constexpr std::uint32_t width_code_count = 32;
inline constexpr std::uint32_t widest = 64;
inline constexpr std::uint32_t most_patches = 31;
inline constexpr std::uint32_t max_gap_width = 8;
inline constexpr std::uint32_t max_base_bytes = 8;

/// The bits that a width code of five bits stands for: 1 to 24, 26, 28, 30, 32, 40, 48, 56 and 64. In a delta
/// run code 0 says that there are no differences.
GSST_HOST_DEVICE constexpr std::uint32_t width_of_code(std::uint32_t code) {
  if (code < 24) return code + 1;
  return code < 28 ? 2 * (code - 24) + 26 : 8 * (code - 28) + 40;
}

/// The code of the smallest width of at least `bits` bits, at most 64.
constexpr std::uint32_t code_of_bits(std::uint32_t bits) {
  std::uint32_t code = 0;
  while (width_of_code(code) < bits) ++code;
  return code;
}

/// Bytes of `count` numbers of a width, one after the other.
GSST_HOST_DEVICE constexpr std::uint32_t packed_bytes(std::uint32_t count, std::uint32_t width) {
  return (count * width + 7) / 8;
}

}  // namespace gsst::format::codag
