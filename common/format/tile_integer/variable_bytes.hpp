#pragma once

#include <cstddef>
#include <cstdint>

#include "common/format/block_format.hpp"
#include "common/format/host_device.hpp"

/// Null suppression with a variable length (FORMAT.md, section 12.10): two bits say how many bytes are stored
/// of each value.
namespace gsst::format::tile_integer {

/// NSV of the paper's section 9.3.
inline constexpr BlockFormat nsv_format{44};

/// Offsets of the fields of a payload's header.
inline constexpr std::size_t nsv_value_bytes_offset = 0;
inline constexpr std::size_t nsv_first_reserved_offset = 1;
inline constexpr std::size_t nsv_value_count_offset = 8;
inline constexpr std::size_t nsv_second_reserved_offset = 12;
inline constexpr std::size_t nsv_header_bytes = 16;

inline constexpr std::uint32_t bits_of_nsv_code = 2;
inline constexpr std::uint32_t nsv_codes_of_byte = 8 / bits_of_nsv_code;
inline constexpr std::uint32_t nsv_code_mask = (1U << bits_of_nsv_code) - 1;

/// Bytes that a value of `value_bytes` bytes with code 0 has; one with code c has c + 1 times as many.
GSST_HOST_DEVICE constexpr std::uint32_t nsv_step(std::uint32_t value_bytes) {
  return value_bytes == 8 ? 2 : 1;
}

/// From the payload's first byte to the numbers, after the codes of `values` values.
GSST_HOST_DEVICE constexpr std::uint64_t nsv_numbers_offset(std::uint32_t values) {
  return nsv_header_bytes + (std::uint64_t{values} + nsv_codes_of_byte - 1) / nsv_codes_of_byte;
}

}  // namespace gsst::format::tile_integer
