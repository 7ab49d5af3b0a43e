#pragma once

#include <cstddef>
#include <cstdint>

#include "common/format/block_format.hpp"
#include "common/format/host_device.hpp"

/// Values as numbers of entries of a dictionary, which each block has (FORMAT.md, section 12.11).
namespace gsst::format::tile_integer {

/// DICT+NSF, as the planner of Fang and others combines them.
inline constexpr BlockFormat dict_format{45};

/// Offsets of the fields of a payload's header.
inline constexpr std::size_t dict_value_bytes_offset = 0;
inline constexpr std::size_t dict_code_bytes_offset = 1;
inline constexpr std::size_t dict_reserved_offset = 2;
inline constexpr std::size_t dict_value_count_offset = 8;
inline constexpr std::size_t dict_entry_count_offset = 12;
inline constexpr std::size_t dict_header_bytes = 16;

inline constexpr std::uint32_t largest_code_bytes = 4;

/// How the bytes of a block are values, and what is stored of them.
struct DictShape {
  std::uint32_t value_bytes;
  /// Of a value's number.
  std::uint32_t code_bytes;
  std::uint32_t values;
  std::uint32_t entries;
  /// Bytes at the block's end that are no whole value.
  std::uint32_t rest_bytes;

  /// From the payload's first byte; the dictionary follows the header.
  GSST_HOST_DEVICE constexpr std::uint64_t codes_offset() const {
    return dict_header_bytes + std::uint64_t{value_bytes} * entries;
  }
  GSST_HOST_DEVICE constexpr std::uint64_t rest_offset() const {
    return codes_offset() + std::uint64_t{code_bytes} * values;
  }
};

}  // namespace gsst::format::tile_integer
