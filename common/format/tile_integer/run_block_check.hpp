#pragma once

#include <cstdint>
#include <span>

#include "common/format/tile_integer/tile_integer.hpp"

/// The rules of run blocks (FORMAT.md, section 12.3).
namespace gsst::format::tile_integer {

/// A run block of a block of the frame.
struct RunBlock {
  std::uint32_t number;
  /// 1 to 512.
  std::uint32_t values;
};

/// Checks all fields of the run block at word `start` of the payload, its lengths included; returns the word
/// after it. Throws FormatError naming `block`.
std::uint64_t checked_run_block_end(std::span<const std::uint8_t> payload, std::uint64_t start,
                                    const RunBlock& run_block, const TypeShape& type, std::uint64_t block);

}  // namespace gsst::format::tile_integer
