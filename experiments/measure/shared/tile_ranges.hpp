#pragma once

#include <cstdint>

#include "common/format/host_device.hpp"

namespace gsst::experiments {

/// Cuts `read_words` words of 16 bytes into `tiles` ranges of about equal length without a division in the
/// kernel: a decoder that writes equal tiles reads its input at this pace. Ranges begin at multiples of 128
/// bytes, so that a warp's reads are whole lines.
class TileRanges {
public:
  /// Both at least 1, and together less than 2^39: the positions have 24 binary places in 64 bits.
  TileRanges(std::uint64_t read_words, std::uint64_t tiles)
      : read_words_(read_words),
        tiles_(tiles),
        words_per_tile_(((read_words << fraction_bits) + tiles - 1) / tiles) {}

  GSST_HOST_DEVICE std::uint64_t tiles() const { return tiles_; }

  /// The first word of range `tile`, at most tiles(), where the range before it ends.
  GSST_HOST_DEVICE std::uint64_t begin(std::uint64_t tile) const {
    const std::uint64_t word = (tile * words_per_tile_) >> fraction_bits;
    const std::uint64_t aligned = (word + words_per_line - 1) / words_per_line * words_per_line;
    return aligned < read_words_ ? aligned : read_words_;
  }

private:
  static constexpr int fraction_bits = 24;
  static constexpr std::uint64_t words_per_line = 8;

  std::uint64_t read_words_;
  std::uint64_t tiles_;
  /// With fraction_bits binary places, rounded up, so that the last range ends at the last word.
  std::uint64_t words_per_tile_;
};

}  // namespace gsst::experiments
