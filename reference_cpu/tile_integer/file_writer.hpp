#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "common/format/block_format.hpp"
#include "common/format/encoding.hpp"
#include "common/format/stream.hpp"

namespace gsst::reference::tile_integer {

/// What a block becomes.
struct BlockPayload {
  format::BlockLayout layout;
  /// Padded as the format says.
  std::vector<std::uint8_t> payload;
};

/// Encodes a block, raw where that is smaller.
using EncodePayload = std::function<BlockPayload(std::span<const std::uint8_t> block)>;

/// Makes a frame (FORMAT.md, section 6) of `format`, with one split a block, of the bytes of `read`. The
/// threads of the settings call `encode` at the same time, each for a block; as many blocks as there are
/// threads are in memory. Throws std::invalid_argument for a block size out of range, and what the functions
/// throw.
format::EncodeTotals write_frame_file(format::BlockFormat format, const format::ReadFunction& read,
                                      const format::WriteFunction& write,
                                      const format::EncodeSettings& settings,
                                      const format::ProgressFunction& progress, const EncodePayload& encode);

}  // namespace gsst::reference::tile_integer
