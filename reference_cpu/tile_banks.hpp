#pragma once

#include <cstdint>
#include <span>

namespace gsst::reference {

/// The rounds that a warp's store of 8 bytes a lane takes in shared memory, on average over a sample of
/// codes, whose symbols have `lengths` bytes: a lane decodes `codes_per_lane` codes one after the other and
/// stores each word that is full. 16 lanes fit into a round if their words are in different banks; where the
/// bytes of a lane are near a multiple of 128, most lanes' words are in the same.
double count_store_rounds(std::span<const std::uint8_t> lengths, std::uint32_t codes_per_lane);

}  // namespace gsst::reference
