#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "common/format/host_device.hpp"

/// CRC-32 (RFC 1952, section 8) as arithmetic of polynomials over GF(2): what lets lanes compute the parts of
/// one. A polynomial of degree below 32 is a word whose highest bit is the coefficient of x^0, and bytes are
/// read lowest bit first, as the RFC has both.
namespace gsst::codag::gzip {

/// The polynomial of CRC-32 without x^32.
inline constexpr std::uint32_t crc32_polynomial = 0xedb88320;

/// x^0.
inline constexpr std::uint32_t crc32_one = 0x80000000;

/// What is added to the first four bytes and to the result.
inline constexpr std::uint32_t crc32_complement = 0xffffffff;

/// The polynomial is primitive: x to this power is 1.
inline constexpr std::uint64_t crc32_order = 0xffffffff;

/// `a` times x, modulo the polynomial.
GSST_HOST_DEVICE constexpr std::uint32_t crc32_times_x(std::uint32_t a) {
  return a >> 1 ^ ((a & 1) != 0 ? crc32_polynomial : 0);
}

/// `a` times `b`, modulo the polynomial.
GSST_HOST_DEVICE constexpr std::uint32_t crc32_product(std::uint32_t a, std::uint32_t b) {
  std::uint32_t product = 0;
  for (std::uint32_t coefficient = 0; coefficient < 32; ++coefficient) {
    product ^= (a >> (31 - coefficient) & 1) != 0 ? b : 0;
    b = crc32_times_x(b);
  }
  return product;
}

/// Bytes that the lanes of a warp read at once, a word each.
inline constexpr std::uint32_t checksum_row_bytes = 128;

/// What the kernels look up.
struct Crc32Tables {
  /// Of byte `b`, value `v`: v at byte b of a word, times x to the bits of a row.
  std::array<std::array<std::uint32_t, 256>, 4> row;
  /// Of lane `l`: x to the bits from the start of its word to the end of the row.
  std::array<std::uint32_t, 32> to_end_of_row;
  /// Of `i`: x^(2^i).
  std::array<std::uint32_t, 32> power;
};

/// Computes them.
constexpr Crc32Tables make_crc32_tables() {
  Crc32Tables tables{};
  tables.power[0] = crc32_one >> 1;
  for (std::size_t i = 1; i < 32; ++i) {
    tables.power[i] = crc32_product(tables.power[i - 1], tables.power[i - 1]);
  }
  std::uint32_t factor = crc32_one;
  for (std::size_t lane = 32; lane-- > 0;) {
    for (unsigned bit = 0; bit < 32; ++bit) factor = crc32_times_x(factor);
    tables.to_end_of_row[lane] = factor;
  }
  // The last factor is that of a whole row.
  for (std::size_t byte = 0; byte < 4; ++byte) {
    for (std::uint32_t bit = 0; bit < 8; ++bit) {
      const std::uint32_t product = crc32_product(std::uint32_t{1} << (8 * byte + bit), factor);
      for (std::uint32_t value = 0; value < 256; ++value) {
        tables.row[byte][value] ^= (value >> bit & 1) != 0 ? product : 0;
      }
    }
  }
  return tables;
}

}  // namespace gsst::codag::gzip
