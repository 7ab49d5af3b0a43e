#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gsst::experiments {

/// What a stream of zlib is in.
enum class ZlibContainer {
  /// Nothing: raw Deflate (RFC 1951).
  none,
  /// A member of gzip (RFC 1952).
  gzip,
};

/// The streams of chunks of `chunk_bytes` bytes of `text`, the last of what is left, by zlib at `level`, 0 to
/// 9, in the order of the chunks. Both are in host memory. Throws std::runtime_error in a build without zlib.
std::vector<std::vector<std::uint8_t>> zlib_streams(std::span<const std::uint8_t> text,
                                                    std::size_t chunk_bytes, unsigned level,
                                                    ZlibContainer container);

}  // namespace gsst::experiments
