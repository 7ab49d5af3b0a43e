#pragma once

#include <cstdint>
#include <span>

#include "common/format/block_format.hpp"
#include "common/format/tile_integer/tile_integer.hpp"

namespace gsst::reference::tile_integer {

/// Which values are no nulls: bits of a bitmap as Arrow has it, from the lowest of each byte on.
struct Validity {
  const std::uint8_t* bits;
  /// The bit of the first value.
  std::uint64_t first;

  bool is_valid(std::uint64_t value) const {
    return (bits[(first + value) / 8] >> (first + value) % 8 & 1) != 0;
  }
};

/// Gives each null of a frame's block a value that costs no bits. `block` holds whole values of `type`. In
/// `for` a null becomes the smallest value of its packed block; in `dfor` one between its neighbours, or one
/// that goes on with the smallest difference of the packed block; in `rfor`, and in any other format, the
/// value before it.
void fill_null_slots(std::span<std::uint8_t> block, format::tile_integer::Type type,
                     format::BlockFormat format, const Validity& validity);

}  // namespace gsst::reference::tile_integer
