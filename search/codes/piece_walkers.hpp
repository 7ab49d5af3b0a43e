#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "cpu/tiles/code_table.hpp"
#include "cpu/tiles/strip_decoders.hpp"
#include "search/codes/shift_table.hpp"

/// The steps over the codes of strips, compiled for each instruction set. All do the same. A processor
/// without the instructions must not call the functions.
namespace gsst::search::codes {

/// Codes between two looks at the state. A tile is a whole number of pieces.
inline constexpr std::uint32_t piece_codes = 32;
/// Strips that are walked at the same time: a step waits for the one before it, not for those of the other.
inline constexpr std::uint32_t walked_strips = 2;

/// How far a strip has been searched.
struct StripWalk {
  cpu::tiles::StripCodes strip;
  /// As ShiftTable has it, behind the last code that was walked over. The bits above its lowest six mean
  /// nothing.
  std::uint64_t state;
};

/// Walks over the pieces of all `walks` (1 or walked_strips of them) from `piece` to before `end`, and no
/// further than a piece behind which one of them has seen the window. Returns the piece behind the last that
/// all have walked over. The pieces are whole and of the strips; nothing else of these is read.
using WalkPieces = std::uint32_t(const ShiftTable& shifts, cpu::tiles::CodeKind kind,
                                 std::span<StripWalk> walks, std::uint32_t piece, std::uint32_t end);

/// In C++ alone.
WalkPieces walk_pieces_portable;
#if defined(__x86_64__)
/// AVX2, BMI1, BMI2 and POPCNT.
WalkPieces walk_pieces_avx2;
#endif

/// Instructions that the steps are compiled for.
struct WalkInstructions {
  /// portable or avx2.
  std::string_view name;
  WalkPieces* walk_pieces;
};

/// Those that this processor can run, the fastest last: portable at least. Asked once.
std::span<const WalkInstructions> walk_instructions();

}  // namespace gsst::search::codes
