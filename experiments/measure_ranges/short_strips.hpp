#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gsst::experiments {

/// `frame`, of format tiles, with strips of one tile: less has to be read before a range, for 4 bytes a
/// strip. Codes and symbols stay as they are. Throws format::FormatError for a frame that is none, and
/// InputError for one of another format or with codes that are halves of bytes: the halves of one may not
/// fall into two strips (FORMAT.md, section 9).
std::vector<std::uint8_t> with_short_strips(std::span<const std::uint8_t> frame);

}  // namespace gsst::experiments
