#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "common/format/stream.hpp"
#include "reference_cpu/codag/deflate_encoder.hpp"

/// Files of gzip (RFC 1952): members one after the other. zlib does the work. A build without it, as that of
/// the library alone is, throws std::runtime_error from all of these.
namespace gsst::reference::codag {

/// Called after each member with its uncompressed bytes.
using TakeMember = std::function<void(std::uint64_t bytes)>;

/// What of a file precedes the bytes that are read.
struct GzipStart {
  std::uint64_t members = 0;
  std::uint64_t bytes = 0;
};

/// Decodes the members of `read`, in memory that does not depend on their size, and checks the CRC-32 and the
/// size of each. Bytes 0 after the last one are padding. The blocks of the totals are members. Throws
/// format::FormatError, whose block is a member, and what the functions throw. Members and bytes in messages
/// are counted from those of `start` on, in the totals they are not.
format::StreamTotals decode_gzip(const format::ReadFunction& read, const format::WriteFunction& write,
                                 const TakeMember& take_member, const format::ProgressFunction& progress,
                                 const GzipStart& start = {});

/// Encodes `bytes` as one member, without a name or a time.
std::vector<std::uint8_t> encode_gzip_member(std::span<const std::uint8_t> bytes,
                                             const DeflateChoice& choice);

/// Most bytes of a member of BGZF (the SAM specification, section 4.1) as bgzip has them: with these a member
/// always has a size that its header can say.
inline constexpr std::uint64_t max_bgzf_bytes = 0xff00;

/// The member without bytes that a file of BGZF ends with.
inline constexpr std::array<std::uint8_t, 28> bgzf_end = {
    0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 6, 0, 'B', 'C', 2, 0, 0x1b, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0};

/// Encodes 1 to max_bgzf_bytes bytes as a member of BGZF, whose header says the member's size: decoders find
/// the next one without decoding this one.
std::vector<std::uint8_t> encode_bgzf_member(std::span<const std::uint8_t> bytes,
                                             const DeflateChoice& choice);

}  // namespace gsst::reference::codag
