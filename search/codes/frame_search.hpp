#pragma once

#include <cstddef>
#include <cstdint>

#include "common/format/stream.hpp"
#include "search/codes/block_search.hpp"
#include "search/codes/literal.hpp"

namespace gsst::search::codes {

/// Finds all matches of `literal` in the text of the frame of format tiles that `read` gives, those over the
/// borders of blocks too, and calls `sink` with their places from the text's start on. Goes through the frame
/// once, a block at a time. Checks the frame and the headers of its blocks; what codes decode to only where
/// it looks at them, and no checksum of text. Blocks in which the literal is frequent are decoded. Throws
/// format::FormatError, std::invalid_argument for a frame of another format, and what `read` and `sink`
/// throw.
format::StreamTotals find_in_frame(const format::ReadFunction& read, const Literal& literal,
                                   const MatchSink& sink,
                                   const WalkInstructions& instructions = walk_instructions().back());

}  // namespace gsst::search::codes
