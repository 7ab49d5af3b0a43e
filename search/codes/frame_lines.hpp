#pragma once

#include <functional>
#include <span>

#include "common/format/stream.hpp"
#include "search/codes/block_lines.hpp"
#include "search/codes/literal.hpp"

namespace gsst::search::codes {

/// Gets the parts of a text in order. All of it is in a part or skipped before one.
using TextPartSink = std::function<void(const TextPart& part)>;

/// Those parts of the text of the frame of format tiles that `read` gives in which a line with one of
/// `words`, which are as for WordsPlan and have no line ends, may be: whole lines, each with its line end
/// unless the text has none there; a line over the border of two blocks comes in two parts. Blocks in which
/// many lines have a word, or whose codes the plan cannot search, are decoded. Goes through the frame once,
/// with up to `threads` threads (as for reference::thread_count()) and a bounded number of blocks in memory.
/// `progress`, if not empty, is called after each batch of blocks. Checks the frame and the headers of its
/// blocks, checksums only of the blocks that are decoded, and what codes decode to only where it looks at
/// them. Parts up to a damaged place come before the error. Throws format::FormatError, std::invalid_argument
/// for a frame of another format, and what `read` and `sink` throw.
format::StreamTotals find_lines_in_frame(const format::ReadFunction& read, std::span<const Literal> words,
                                         bool count_line_ends, const TextPartSink& sink, unsigned threads,
                                         const format::ProgressFunction& progress = {});

}  // namespace gsst::search::codes
