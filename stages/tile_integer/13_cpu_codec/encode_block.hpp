#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/format/tile_integer/for_rules.hpp"
#include "common/format/tile_integer/tile_integer.hpp"

namespace gsst::tile_integer::cpu {

/// An encoder of blocks of all formats of the series, as stages/tile_integer/encode/host_encode_plans.hpp
/// asks for it.
std::size_t encode_block(std::span<const std::uint8_t> block, format::tile_integer::Packing packing,
                         format::tile_integer::Type type, std::span<std::uint8_t> room);

}  // namespace gsst::tile_integer::cpu
