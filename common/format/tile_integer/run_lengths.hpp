#pragma once

#include <cstddef>
#include <cstdint>

#include "common/format/block_format.hpp"
#include "common/format/host_device.hpp"

/// Runs as pairs of a value and a length, in two arrays of whole bytes (FORMAT.md, section 12.9).
namespace gsst::format::tile_integer {

/// RLE of the paper's section 9.3: values as they are, and lengths of 4 bytes.
inline constexpr BlockFormat rle_format{42};
/// The same with null suppression of both arrays, as the planner of Fang and others combines them.
inline constexpr BlockFormat rle_nsf_format{43};

/// Offsets of the fields of a payload's header.
inline constexpr std::size_t rle_value_bytes_offset = 0;
inline constexpr std::size_t rle_number_bytes_offset = 1;
inline constexpr std::size_t rle_length_bytes_offset = 2;
inline constexpr std::size_t rle_reserved_offset = 3;
inline constexpr std::size_t rle_value_count_offset = 8;
inline constexpr std::size_t rle_run_count_offset = 12;
inline constexpr std::size_t rle_header_bytes = 16;

inline constexpr std::uint32_t largest_length_bytes = 4;

/// How the bytes of a block are values, and what is stored of its runs.
struct RleShape {
  std::uint32_t value_bytes;
  /// Of a run's value, at most value_bytes.
  std::uint32_t number_bytes;
  /// Of a run's length.
  std::uint32_t length_bytes;
  std::uint32_t values;
  std::uint32_t runs;
  /// Bytes at the block's end that are no whole value.
  std::uint32_t rest_bytes;

  /// From the payload's first byte; values of runs follow the header.
  GSST_HOST_DEVICE constexpr std::uint64_t lengths_offset() const {
    return rle_header_bytes + std::uint64_t{number_bytes} * runs;
  }
  GSST_HOST_DEVICE constexpr std::uint64_t rest_offset() const {
    return lengths_offset() + std::uint64_t{length_bytes} * runs;
  }
};

}  // namespace gsst::format::tile_integer
