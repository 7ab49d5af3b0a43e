#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gsst::zero_length::dictionary {

/// An encoder of blocks of format zle_dictionary, as stages/zero_length/encode/encode_plans.hpp asks for it.
/// Works in `room`, at whose start it leaves the payload.
std::size_t encode_block(std::span<const std::uint8_t> block, std::span<std::uint8_t> room);

}  // namespace gsst::zero_length::dictionary
