#pragma once

#include <cstdint>

#include "common/format/host_device.hpp"

/// Integers of fixed width and byte order at addresses of any alignment.
///
/// Byte by byte on purpose: no field of the formats is aligned (FORMAT.md, section 1), and compilers merge
/// the loads where the machine allows it.
namespace gsst::format {

/// Reads `Width` bytes (1 to 8) at `bytes`, least significant byte first.
template <int Width>
GSST_HOST_DEVICE inline std::uint64_t load_little_endian(const std::uint8_t* bytes) {
  static_assert(Width >= 1 && Width <= 8);
  std::uint64_t value = 0;
  for (int i = 0; i < Width; ++i) value |= static_cast<std::uint64_t>(bytes[i]) << (8 * i);
  return value;
}

/// Reads `Width` bytes (1 to 8) at `bytes`, most significant byte first.
template <int Width>
GSST_HOST_DEVICE inline std::uint64_t load_big_endian(const std::uint8_t* bytes) {
  static_assert(Width >= 1 && Width <= 8);
  std::uint64_t value = 0;
  for (int i = 0; i < Width; ++i) value = (value << 8) | bytes[i];
  return value;
}

/// Writes the low `Width` bytes (1 to 8) of `value` at `bytes`, least significant byte first.
template <int Width>
GSST_HOST_DEVICE inline void store_little_endian(std::uint8_t* bytes, std::uint64_t value) {
  static_assert(Width >= 1 && Width <= 8);
  for (int i = 0; i < Width; ++i) bytes[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

/// Writes the low `Width` bytes (1 to 8) of `value` at `bytes`, most significant byte first.
template <int Width>
GSST_HOST_DEVICE inline void store_big_endian(std::uint8_t* bytes, std::uint64_t value) {
  static_assert(Width >= 1 && Width <= 8);
  for (int i = 0; i < Width; ++i) bytes[i] = static_cast<std::uint8_t>(value >> (8 * (Width - 1 - i)));
}

}  // namespace gsst::format
