#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

/// What is around the Deflate stream of a zlib stream (RFC 1950): two bytes before it, and after it the
/// Adler-32 of what it decodes to, highest byte first.
namespace gsst::format::codag {

inline constexpr std::size_t zlib_header_bytes = 2;
inline constexpr std::size_t zlib_trailer_bytes = 4;

/// Checks the header of a stream that begins with `start`, of which only the header is read. Throws
/// FormatError, also for a stream that needs a dictionary (FDICT).
void check_zlib_header(std::span<const std::uint8_t> start);

}  // namespace gsst::format::codag
