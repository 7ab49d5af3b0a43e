#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "common/format/stream.hpp"

namespace gsst::reference::codag {

/// Decodes the payload of block `block`, which is not raw, to `uncompressed_bytes` bytes. Throws
/// format::FormatError naming the block.
using DecodePayload = std::function<std::vector<std::uint8_t>(
    std::span<const std::uint8_t> payload, std::uint32_t uncompressed_bytes, std::uint64_t block)>;

/// Decodes the frame of `read`, block by block, and checks each block's checksum. `progress`, if not empty,
/// is called after each. Throws format::FormatError, and what the functions throw; output written before that
/// is correct as far as it goes.
format::StreamTotals decode_frame(const format::ReadFunction& read, const format::WriteFunction& write,
                                  const format::ProgressFunction& progress, const DecodePayload& decode);

}  // namespace gsst::reference::codag
