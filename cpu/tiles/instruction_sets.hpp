#pragma once

#include <span>
#include <string_view>

#include "cpu/tiles/segment_parsers.hpp"
#include "cpu/tiles/strip_decoders.hpp"
#include "cpu/tiles/tile_packers.hpp"

namespace gsst::cpu::tiles {

/// Instructions that decoders and encoders are compiled for.
struct InstructionSet {
  /// portable, avx2 or avx512.
  std::string_view name;
  DecodeStrip* decode_strip;
  ParseSegments* parse_segments;
  PackTiles* pack_tiles;
};

/// Whether this processor runs what is compiled for AVX2, BMI1, BMI2 and POPCNT.
bool runs_avx2();
/// Whether it runs what is compiled for these and AVX-512 F, BW, DQ, VL and VBMI2.
bool runs_avx512();

/// Those that this processor can run, the fastest last: portable at least. Asked once.
std::span<const InstructionSet> instruction_sets();

}  // namespace gsst::cpu::tiles
