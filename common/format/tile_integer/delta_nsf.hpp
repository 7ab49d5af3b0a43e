#pragma once

#include <cstddef>
#include <cstdint>

#include "common/format/block_format.hpp"
#include "common/format/host_device.hpp"

/// Differences of neighbours in whole bytes (FORMAT.md, section 12.12).
namespace gsst::format::tile_integer {

/// DELTA+NSF, as the planner of Fang and others combines them.
inline constexpr BlockFormat delta_nsf_format{46};

/// Offsets of the fields of a payload's header.
inline constexpr std::size_t delta_nsf_value_bytes_offset = 0;
inline constexpr std::size_t delta_nsf_number_bytes_offset = 1;
inline constexpr std::size_t delta_nsf_first_reserved_offset = 2;
inline constexpr std::size_t delta_nsf_value_count_offset = 8;
inline constexpr std::size_t delta_nsf_second_reserved_offset = 12;
/// What the first difference is added to.
inline constexpr std::size_t delta_nsf_base_offset = 16;
inline constexpr std::size_t delta_nsf_header_bytes = 24;

/// The number of a difference: 0, -1, 1, -2 and so on are 0, 1, 2, 3. Modulo 2^64; a number of a narrower
/// type is that of its difference extended with its sign.
GSST_HOST_DEVICE constexpr std::uint64_t number_of_difference(std::uint64_t difference) {
  return difference << 1 ^ (std::uint64_t{0} - (difference >> 63));
}

/// The other way round.
GSST_HOST_DEVICE constexpr std::uint64_t difference_of_number(std::uint64_t number) {
  return number >> 1 ^ (std::uint64_t{0} - (number & 1));
}

}  // namespace gsst::format::tile_integer
