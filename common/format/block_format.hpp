#pragma once

#include <cstdint>

/// What a frame says of its blocks: which format they have, and how each of them is laid out.
namespace gsst::format {

/// Which rules the payloads of a frame's blocks follow. The values are stored in frames. Those with a name
/// are of series gsst; another series brings values of its own (formats.hpp).
enum class BlockFormat : std::uint16_t {
  fsst = 0,       ///< FSST's own file format; never inside a frame
  blocks = 1,     ///< thesis Fig 4.1c
  splits = 2,     ///< thesis Fig 4.1d, constant uncompressed split size
  coalesced = 3,  ///< thesis 4.2.3, constant number of codes, interleaved
  tiles = 4,      ///< beyond the thesis: tiles of codes whose lengths are known from the codes
};

/// How a payload is laid out. The values are stored in frames. What those other than raw mean is the format's
/// to say; the names are those of series gsst.
enum class BlockLayout : std::uint8_t {
  raw = 0,     ///< no header: the payload is the uncompressed bytes
  narrow = 1,  ///< the thesis's field widths
  wide = 2,    ///< the same fields, 4 bytes each
};

/// Largest number of uncompressed bytes in one block of a frame: 1 GiB, so that 31 bits hold every position.
inline constexpr std::uint64_t max_block_bytes = std::uint64_t{1} << 30;

}  // namespace gsst::format
