#pragma once

#include "common/format/encoding.hpp"
#include "common/format/stream.hpp"

namespace gsst::cpu::tiles {

/// Whether `settings`, valid ones of format tiles, ask for what encode_frame() does: level 1 or 2, and not
/// the optimal parse of codes of 10 or 12 bits.
bool is_fast_level(const format::EncodeSettings& settings);

/// Compresses the bytes of `read` into one frame of format tiles, in one pass with a bounded number of blocks
/// in memory: what the format's codec in reference_cpu does at levels 1 and 2, with other tables. The greedy
/// parse of level 1 is many times as fast; the optimal parse is the codec's, and its training is faster.
/// Checksums are of kind xxh64-tree if the settings leave them open. The same input and settings give the
/// same frame on every machine, with any number of threads. `progress`, if not empty, is called after each
/// batch of blocks. Throws std::invalid_argument for settings out of range or for which is_fast_level() is
/// false, std::length_error if a frame holds no more blocks, and what `read` and `write` throw.
format::EncodeTotals encode_frame(const format::ReadFunction& read, const format::WriteFunction& write,
                                  const format::EncodeSettings& settings,
                                  const format::ProgressFunction& progress = {});

}  // namespace gsst::cpu::tiles
