#pragma once

#include <cstdint>

#include "data/shared/parts.hpp"

/// Columns of integers, little-endian, as the tile-based paper's sections 4.2, 9.2 and 9.3 have them and as
/// the goals of series tile_integer need them. Each begins with the same bytes however many values it has,
/// but for the sorted one.
namespace gsst::data {

/// What all columns have. Functions throw std::invalid_argument for what is out of range.
struct Column {
  /// 1 or more.
  std::uint64_t values = 0;
  /// Bytes of a value: 4 or 8.
  std::uint32_t value_bytes = 4;
  std::uint64_t seed = 1;
};

/// Random values of 0 to 2^width - 1; `width` is 1 to 32, or to 64 with values of 8 bytes.
Parts uniform_parts(const Column& column, unsigned width);

/// Each 32 values have a width of their own, a random one of 0 to all bits of a value: they are the type's
/// smallest value plus 0 to 2^width - 1, for signed types.
Parts mixed_parts(const Column& column);

/// The other columns have values of 4 bytes.

/// Value i is i * unique / values, rounded down: `unique` values, 0 to unique - 1, each in a run of the same
/// length or one more; where there are more of them than values, all values differ, by unique / values
/// rounded down or up. `unique` and the values are at most 2^31.
Parts sorted_parts(const Column& column, std::uint64_t unique);

/// A normal distribution of whole numbers with standard deviation 20, cut at 8 of them. `mean` is at most
/// 2^30.
Parts normal_parts(const Column& column, std::uint32_t mean);

/// Distinct values of zipf_parts().
inline constexpr std::uint32_t zipf_values = std::uint32_t{1} << 20;

/// Values 0 to zipf_values - 1, of which value k has a probability in proportion to 1 / (k + 1)^exponent.
/// `exponent_tenths` is the exponent times 10, a multiple of 5 up to 100.
Parts zipf_parts(const Column& column, std::uint32_t exponent_tenths);

/// 1, 2, 3 and so on. At most 2^31 - 1 values.
Parts ascending_parts(const Column& column);

/// Each value is the one before plus a random gap of 0 to 2^width - 1, modulo 2^32; the first one is a gap.
/// `width` is 1 to 31. Of a part of 2^18 values, the second half has the gaps of the first one, each
/// subtracted from 2^width - 1: so it is known where the next part goes on.
Parts gaps_parts(const Column& column, unsigned width);

/// Runs of random values of 0 to 65535, of which no two neighbours are equal. After each value the run ends
/// with the same probability, so that their mean length is `run_tenths` / 10, which is 1 to 1000. Where a
/// part of 2^18 values ends, a run ends too.
Parts runs_parts(const Column& column, std::uint32_t run_tenths);

}  // namespace gsst::data
