#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gsst::reference::tile_integer {

/// A column stored as it is: a frame of format `for` whose blocks of `block_bytes` bytes are all raw. No
/// encoder makes one of a column that gets smaller; kernels that compare compressed columns with plain ones
/// read it. Throws std::invalid_argument for a block size out of range.
std::vector<std::uint8_t> plain_frame(std::span<const std::uint8_t> column, std::uint64_t block_bytes);

}  // namespace gsst::reference::tile_integer
