#pragma once

#include <cstdint>

#include "data/shared/parts.hpp"

namespace gsst::data {

/// A simulated correlator of seven antennas, after KAT-7 (thesis, sections 1.4 and 3.6). KAT-7-like,
/// simulated; shape inferred: the thesis's raw sizes are whole multiples of 1024 x 224 float32, which are
/// 1024 channels, 28 baselines (of an antenna with itself too), 4 products of the polarisations, and a real
/// and an imaginary part.
///
/// Each of the 14 inputs sees noise of its own and a source that is common to all, both quantised voltages. A
/// visibility is the sum of the products of two inputs' voltages, an integer, times one scale. The product of
/// an input with itself has the imaginary part +0.0 always: 14 of 224 floats.
struct Correlator {
  static constexpr std::uint32_t channels = 1024;
  static constexpr std::uint32_t floats_per_channel = 224;
  static constexpr std::uint64_t dump_bytes = std::uint64_t{channels} * floats_per_channel * sizeof(float);

  std::uint64_t seed = 1;
  /// A dump is what the correlator gives at once: all channels, dump_bytes.
  std::uint64_t dumps = 0;
  /// Factor of the voltages at the middle of the band, in 1/65536. Their standard deviation is this times
  /// 147.8 and that of the source.
  std::uint32_t gain = 0;
  /// Channels at each end of the band over which the factor falls, linearly, to `edge_gain` / 256 of that.
  /// 0 is a flat band.
  std::uint32_t edge_channels = 0;
  std::uint32_t edge_gain = 256;
  /// Voltages of the source, in 1/256 of those of the noise.
  std::uint32_t source = 0;
  /// What an accumulated integer is multiplied by.
  float scale = 1;
  /// Of a million channels of dumps, those in which a stretch of 16 to 76 floats was discarded and is zero
  /// (thesis, section 5.6.1: a run of 185 zero bytes was seen, which are 46 floats).
  std::uint32_t flagged_per_million = 0;
  /// The floats of each channel in a random order that is new for each channel and dump, flagged stretches
  /// left out: zeros are as frequent, but have no period.
  bool shuffled = false;
};

/// The data of a correlator; a part is a dump.
Parts correlator_parts(const Correlator& correlator);

}  // namespace gsst::data
