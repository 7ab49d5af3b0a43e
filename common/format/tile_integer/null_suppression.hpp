#pragma once

#include <cstddef>
#include <cstdint>

#include "common/format/block_format.hpp"
#include "common/format/host_device.hpp"

/// Null suppression with a fixed length (FORMAT.md, section 12.5): the highest bytes of values, which are 0
/// in all of a block, are left out.
namespace gsst::format::tile_integer {

/// NSF of the paper's section 9.2.
inline constexpr BlockFormat nsf_format{40};

/// Offsets of the fields of a payload's header.
inline constexpr std::size_t nsf_value_bytes_offset = 0;
inline constexpr std::size_t nsf_number_bytes_offset = 1;
inline constexpr std::size_t nsf_first_reserved_offset = 2;
inline constexpr std::size_t nsf_value_count_offset = 8;
inline constexpr std::size_t nsf_second_reserved_offset = 12;
inline constexpr std::size_t nsf_header_bytes = 16;

inline constexpr std::uint32_t largest_value_bytes = 8;

/// How the bytes of a block are values, and what is stored of each.
struct NsfShape {
  std::uint32_t value_bytes;
  /// Of a stored number, at most value_bytes.
  std::uint32_t number_bytes;
  std::uint32_t values;
  /// Bytes at the block's end that are no whole value.
  std::uint32_t rest_bytes;

  /// From the payload's first byte.
  GSST_HOST_DEVICE constexpr std::uint64_t rest_offset() const {
    return nsf_header_bytes + std::uint64_t{number_bytes} * values;
  }
};

constexpr NsfShape nsf_shape(std::uint32_t value_bytes, std::uint32_t number_bytes,
                             std::uint32_t uncompressed_bytes) {
  return {.value_bytes = value_bytes,
          .number_bytes = number_bytes,
          .values = uncompressed_bytes / value_bytes,
          .rest_bytes = uncompressed_bytes % value_bytes};
}

}  // namespace gsst::format::tile_integer
