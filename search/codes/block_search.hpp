#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "common/format/gsst/tiles_header.hpp"
#include "cpu/tiles/code_table.hpp"
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
  /// Of that table, for the plan's literal.
  const ShiftTable& shifts;
  /// For errors.
  std::optional<std::uint64_t> block_number;
};

/// Finds all matches of the plan's literal that lie wholly in a block, without decoding it: each piece of 32
/// codes in which the literal's window ends is decoded, with what is around it. Throws format::FormatError
/// naming the block and the strip for codes that are looked at and decode to more or fewer bytes than their
/// strip has; what is not looked at is not checked. Never reads outside of the block, whatever the codes are.
void find_in_block(const LiteralPlan& plan, const SearchedCodes& codes, const MatchSink& sink,
                   const WalkInstructions& instructions = walk_instructions().back());

/// The pieces in which find_in_block() looks for the literal, by their first codes, in order: all with a
/// match whose window ends in them, and few others. Nothing if there are more than `most_pieces`: it stops
/// there.
std::optional<std::vector<std::uint32_t>> find_pieces(
    const LiteralPlan& plan, const SearchedCodes& codes, std::uint64_t most_pieces,
    const WalkInstructions& instructions = walk_instructions().back());

}  // namespace gsst::search::codes
