#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "gsst/gsst.h"

/// Byte ranges of a frame's output, cut to what is decoded in one go.
namespace gsst::library {

/// Throws ApiError unless each range lies in the `uncompressed_bytes` bytes of a frame's output and in the
/// `output_bytes` bytes of the caller's, and no two share bytes of the latter.
void check_ranges(std::span<const gsst_range> ranges, std::uint64_t uncompressed_bytes,
                  std::uint64_t output_bytes);

/// Bytes of one unit, a block or a part of one, that a range asks for. range.offset counts from the unit's
/// start.
struct RangePiece {
  std::uint64_t unit;
  gsst_range range;
};

/// Where a unit is, in the bytes that ranges count.
struct UnitPlace {
  std::uint64_t offset;
  std::uint64_t bytes;
};

/// Units that cover bytes in order and without gap.
struct Units {
  /// The unit that holds the byte at an offset.
  std::function<std::uint64_t(std::uint64_t)> find;
  std::function<UnitPlace(std::uint64_t)> place;
};

/// Cuts `ranges`, which lie in `units`, at the borders of these. Sorted by unit; without empty pieces.
std::vector<RangePiece> cut_ranges(std::span<const gsst_range> ranges, const Units& units);

/// `pieces`, which are sorted by unit, apart for each unit.
std::vector<std::span<const RangePiece>> group_by_unit(std::span<const RangePiece> pieces);

}  // namespace gsst::library
