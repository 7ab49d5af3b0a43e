#pragma once

#include <cstdint>
#include <optional>
#include <span>

/// Where the members of a file of gzip are (RFC 1952), as far as that can be known without decoding them.
namespace gsst::codag::gzip {

/// Bytes after a member's Deflate stream: the CRC-32 and the size of what it decodes to.
inline constexpr std::uint32_t gzip_trailer_bytes = 8;

/// A member in a file; of a file of zlib, its one stream.
struct GzipMember {
  /// From the file's first byte to the member's header, to its Deflate stream and past its trailer.
  std::uint64_t offset;
  std::uint64_t stream_offset;
  std::uint64_t end;
  /// As its trailer has them; the size is that modulo 2^32. The trailer of zlib has no size.
  std::uint32_t checksum;
  std::uint32_t output_bytes;
  /// Whether the header says where the member ends, as BGZF's do (the SAM specification, section 4.1). Where
  /// it does not, the end is the file's, or that before the next bytes that look like a header: right if the
  /// stream ends there, and if the output is what the trailer says.
  bool is_sized;
  std::uint32_t trailer_bytes = gzip_trailer_bytes;

  std::uint64_t stream_bytes() const { return end - trailer_bytes - stream_offset; }
};

/// The member at `offset` of the file. Nothing if no header, a damaged one or no whole member is there, or
/// if no stream of its size decodes to as many bytes as its trailer says.
std::optional<GzipMember> find_member(std::span<const std::uint8_t> file, std::uint64_t offset);

}  // namespace gsst::codag::gzip
