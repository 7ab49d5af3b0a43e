#pragma once

#include <cstdint>

/// What becomes of each of 64 bytes, as masks: bit i stands for byte i.
namespace gsst::zero_length {

/// The bytes of a vector's step, whatever the width of the registers: masks of 64 bits.
inline constexpr int step_bytes = 64;

/// A run of three zeros or more becomes two bytes in the place of its last two: FF and the run's length. The
/// zeros before them are left out. So what is written for a byte follows from the two bytes after it; only
/// the length needs to look back. Holds for runs of at most 252 zeros.
struct RunMasks {
  /// Zeros that are left out.
  std::uint64_t dropped;
  /// Zeros that become FF.
  std::uint64_t markers;
  /// Zeros that become the length of their run.
  std::uint64_t counts;
  /// Those of them whose run has exactly four zeros: a float that is 0, between bytes that are not.
  std::uint64_t fours;
};

/// The masks of 64 bytes of which `zeros` are 0; `before` are the zeros of the 64 bytes before them, `after`
/// of those after.
[[gnu::always_inline]] inline RunMasks run_masks(std::uint64_t before, std::uint64_t zeros,
                                                 std::uint64_t after) {
  const std::uint64_t next1 = zeros >> 1 | after << 63;
  const std::uint64_t next2 = zeros >> 2 | after << 62;
  const std::uint64_t last1 = zeros << 1 | before >> 63;
  const std::uint64_t last2 = zeros << 2 | before >> 62;
  const std::uint64_t last3 = zeros << 3 | before >> 61;
  const std::uint64_t last4 = zeros << 4 | before >> 60;
  const std::uint64_t counts = zeros & ~next1 & last1 & last2;
  return {.dropped = zeros & next1 & next2,
          .markers = zeros & next1 & ~next2 & last1,
          .counts = counts,
          .fours = counts & last3 & ~last4};
}

/// The zeros at the end of 64 bytes.
[[gnu::always_inline]] inline unsigned zeros_at_end(std::uint64_t zeros) {
  return ~zeros == 0 ? step_bytes : static_cast<unsigned>(__builtin_clzll(~zeros));
}

/// The length of the run whose last zero is byte `end`; `before` zeros precede the 64 bytes.
[[gnu::always_inline]] inline std::uint8_t run_length(std::uint64_t zeros, unsigned end, unsigned before) {
  const std::uint64_t others = ~zeros & ((std::uint64_t{1} << end) - 1);
  return static_cast<std::uint8_t>(others == 0 ? end + 1 + before
                                               : end - (63 - static_cast<unsigned>(__builtin_clzll(others))));
}

}  // namespace gsst::zero_length
