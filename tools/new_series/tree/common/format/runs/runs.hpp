#pragma once

#include <cstdint>

#include "common/format/block_format.hpp"

/// Format runs: a payload is a list of runs, two bytes each,
///
///     byte 0   count   how often the byte follows, 0 to 255
///     byte 1   byte    what follows
///
/// and nothing else. A block that its runs do not make smaller is stored raw.
namespace gsst::format {

/// What frames store for the format.
inline constexpr BlockFormat runs_format{1000};

/// The only layout besides raw.
inline constexpr BlockLayout runs_layout{1};

/// Bytes that a run takes.
inline constexpr std::uint32_t run_bytes = 2;

/// Most bytes that a run stands for.
inline constexpr std::uint32_t longest_run = 255;

}  // namespace gsst::format
