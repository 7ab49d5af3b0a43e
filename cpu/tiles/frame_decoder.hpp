#pragma once

#include "common/format/stream.hpp"

namespace gsst::cpu::tiles {

/// Decompresses the frame of format tiles that `read` gives, in one pass with a bounded number of blocks in
/// memory, and checks all that it holds, checksums included: what the format's codec in reference_cpu does,
/// with the same output and the same errors. `threads` is as for reference::thread_count(). Blocks are
/// written in order, up to the first that is wrong. `progress`, if not empty, is called after each batch of
/// blocks. Throws format::FormatError, std::invalid_argument for a frame of another format, and what `read`
/// and `write` throw.
format::StreamTotals decode_frame(const format::ReadFunction& read, const format::WriteFunction& write,
                                  unsigned threads, const format::ProgressFunction& progress = {});

}  // namespace gsst::cpu::tiles
