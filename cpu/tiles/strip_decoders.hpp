#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/tiles/code_table.hpp"

/// The codes of one strip, decoded by each instruction set. All do the same. Host memory, at any address
/// except for the table's. Nothing is read outside of the strip's tiles and the byte before them, and nothing
/// is written outside of the output's room, whatever the codes are. A processor without the instructions must
/// not call the function.
namespace gsst::cpu::tiles {

/// A strip's codes. The byte before the first tile must be readable; in a block the header is there.
struct StripCodes {
  const std::uint8_t* first_tile;
  /// Codes of a tile: a multiple of 64.
  std::uint32_t tile_codes;
  std::uint32_t tile_bytes;
  /// Codes of the strip; its tiles are all of them and whole.
  std::uint32_t codes;
};

/// Where a strip's output goes.
struct StripOutput {
  std::uint8_t* begin;
  /// Bytes that the strip has to decode to.
  std::size_t bytes;
  /// Bytes from `begin`, at least `bytes`, that may be overwritten with anything: who decodes the strips of a
  /// run in order leaves the output of those that follow here.
  std::size_t room;
};

/// What became of a strip.
enum class StripProblem : std::uint8_t { none, output_too_long, output_too_short };

using DecodeStrip = StripProblem(const CodeTable& table, const StripCodes& strip, const StripOutput& output);

/// In C++ alone.
DecodeStrip decode_strip_portable;
#if defined(__x86_64__)
/// AVX2, BMI1, BMI2 and POPCNT.
DecodeStrip decode_strip_avx2;
/// These, and AVX-512 F, BW, VL and VBMI2.
DecodeStrip decode_strip_avx512;
#endif

}  // namespace gsst::cpu::tiles
