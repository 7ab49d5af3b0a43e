#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "stages/codag/orc/orc_column.hpp"

namespace gsst::codag::orc {

/// Bytes of the header of a compressed stream's chunk: twice the chunk's bytes, plus 1 if it is stored as it
/// is.
inline constexpr std::uint64_t orc_chunk_header_bytes = 3;

/// A chunk of a compressed stream.
struct OrcChunk {
  /// In the stream: that of its header.
  std::uint64_t offset;
  /// What follows the header.
  std::uint64_t bytes;
  /// Whether it is stored as it is; else it is a raw Deflate stream.
  bool is_stored;
};

/// The chunks of a compressed stream, of which only headers are read. Throws OrcError as uncompressed_orc()
/// does.
std::vector<OrcChunk> orc_chunks(std::span<const std::uint8_t> stored, std::uint64_t chunk_bytes,
                                 const std::string& place);

/// The error of a chunk that uncompressed_orc() does not decompress.
OrcError no_deflate_stream(const std::string& place, std::uint64_t offset, std::uint64_t chunk_bytes);

/// The bytes of a stream, or of metadata, without its compression. `stored` is in host memory; `chunk_bytes`
/// is as in OrcColumn. Throws OrcError, which names `place`, for a chunk that is damaged, that ends early or
/// that holds more than `chunk_bytes`.
std::vector<std::uint8_t> uncompressed_orc(std::span<const std::uint8_t> stored, OrcCompression compression,
                                           std::uint64_t chunk_bytes, const std::string& place);

}  // namespace gsst::codag::orc
