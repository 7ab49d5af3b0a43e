#pragma once

#include <cstdint>
#include <span>

namespace gsst::format {

/// xxh64 with seed 0 of `bytes`, the checksum of frames (FORMAT.md, section 6).
std::uint64_t checksum(std::span<const std::uint8_t> bytes);

}  // namespace gsst::format
