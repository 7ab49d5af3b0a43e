#pragma once

#include <cstdint>
#include <vector>

#include "fuzz/random.hpp"

/// Changes of a frame around its blocks.
namespace gsst::fuzz {

/// Changed copies that are made of a batch's frame.
inline constexpr unsigned changed_frames = 2;

/// `frame`, which a plan accepts and which has a block or more, with other bytes in its header, in records
/// with their index entries, in the index and in what is behind it. Mostly the checksums are right again, so
/// that not they alone show the change.
std::vector<std::uint8_t> change_frame(std::vector<std::uint8_t> frame, Random& random);

}  // namespace gsst::fuzz
