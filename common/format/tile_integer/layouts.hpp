#pragma once

#include <cstdint>

#include "common/format/block_format.hpp"
#include "common/format/host_device.hpp"
#include "common/format/tile_integer/tile_integer.hpp"

/// Two layouts that the paper compares its own with (section 4.3; FORMAT.md, sections 12.7 and 12.8).
namespace gsst::format::tile_integer {

/// Differences from a reference as in `for`, of one width for 4096 values, of which each of 128 lanes has
/// every 128th in its own words: GPU-SIMDBP128.
inline constexpr BlockFormat vfor_format{36};
/// Format `for` with one width for a packed block.
inline constexpr BlockFormat ofor_format{37};

/// Format `vfor`: the lanes of a vertical block, what each of them has, and both together.
inline constexpr std::uint32_t vertical_lanes = 128;
inline constexpr std::uint32_t vertical_lane_values = 32;
inline constexpr std::uint32_t vertical_block_values = vertical_lanes * vertical_lane_values;

/// Where value `item` of a lane is in its vertical block.
GSST_HOST_DEVICE constexpr std::uint32_t vertical_place(std::uint32_t lane, std::uint32_t item) {
  return item * vertical_lanes + lane;
}

}  // namespace gsst::format::tile_integer
