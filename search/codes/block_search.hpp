#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "common/format/gsst/tiles_header.hpp"
#include "cpu/tiles/code_table.hpp"
#include "search/codes/code_plan.hpp"
#include "search/codes/literal_plan.hpp"
#include "search/codes/piece_walkers.hpp"
#include "search/codes/shift_table.hpp"

namespace gsst::search::codes {

/// Gets where a match begins, in bytes from the start of what was searched. Matches come in order; those that
/// overlap come too.
using MatchSink = std::function<void(std::uint64_t position)>;

/// One block's codes, and what searching them takes.
struct SearchedCodes {
  /// One that format::check_tiles_block() has accepted.
  const format::TilesHeader& block;
  /// The block's table, its own or the one that it shares.
  const cpu::tiles::CodeTable& table;
  /// Of that table, for the plan.
  const ShiftTable& shifts;
  /// For errors.
  std::optional<std::uint64_t> block_number;
};

/// How many pieces may have the literal before a search stops: where these are many, to decode the block is
/// faster.
struct PieceLimit {
  /// So many may in any case.
  std::uint64_t least;
  /// And one more of each so many that are walked over.
  std::uint64_t pieces_for_each;
};

/// Stops nothing.
inline constexpr PieceLimit any_number_of_pieces = {
    .least = std::numeric_limits<std::uint64_t>::max(),
    .pieces_for_each = std::numeric_limits<std::uint64_t>::max()};
/// About where both ways take the same time. Measured with gsst grep -c on TPC-H l_comment, codes of 12 bits,
/// one thread: with a match in one piece of 80 the search on codes took 0.8 times as long as decoding and
/// searching, with one in 40 it took 1.2 times as long.
inline constexpr PieceLimit pieces_worth_looking_at = {.least = 16, .pieces_for_each = 32};

/// Finds all matches of the plan's literal that lie wholly in a block, without decoding it: each piece of 32
/// codes in which the literal's window ends is decoded, with what is around it. False where more pieces than
/// `limit` says may have the literal; `sink` is not called then. Throws format::FormatError
/// naming the block and the strip for codes that are looked at and decode to more or fewer bytes than their
/// strip has; what is not looked at is not checked. Never reads outside of the block, whatever the codes are.
bool find_in_block(const LiteralPlan& plan, const SearchedCodes& codes, const PieceLimit& limit,
                   const MatchSink& sink, const WalkInstructions& instructions = walk_instructions().back());

/// The pieces in which words of the plan may be, by their first codes, in order: all with a word whose window
/// ends in them, unless they have another's, and few others. Nothing if there are more than `limit` says.
std::optional<std::vector<std::uint32_t>> find_pieces(
    const CodePlan& plan, const SearchedCodes& codes, const PieceLimit& limit,
    const WalkInstructions& instructions = walk_instructions().back());

}  // namespace gsst::search::codes
