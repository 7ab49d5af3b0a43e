#include "stages/codag/gzip/gzip_members.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "common/format/bytes.hpp"
#include "common/format/codag/deflate.hpp"
#include "stages/codag/gzip/crc32_tables.hpp"

namespace gsst::codag::gzip {
namespace {

using File = std::span<const std::uint8_t>;
using format::load_little_endian;

constexpr std::uint64_t fixed_header_bytes = 10;

// Bits of a header's byte FLG.
constexpr std::uint32_t has_header_crc = 2;
constexpr std::uint32_t has_extra = 4;
constexpr std::uint32_t has_name = 8;
constexpr std::uint32_t has_comment = 16;
constexpr std::uint32_t reserved_flags = 0xe0;

struct GzipHeader {
  std::uint64_t stream_offset;
  // Of the whole member; absent where the header does not say it.
  std::optional<std::uint64_t> member_bytes;
};

// Of an extra field: what its subfield BC says, the member's bytes less 1.
std::optional<std::uint64_t> member_bytes_of_extra(File extra) {
  while (extra.size() >= 4) {
    const std::size_t bytes = load_little_endian<2>(extra.data() + 2);
    if (bytes > extra.size() - 4) break;
    if (extra[0] == 'B' && extra[1] == 'C' && bytes == 2) return load_little_endian<2>(extra.data() + 4) + 1;
    extra = extra.subspan(4 + bytes);
  }
  return std::nullopt;
}

// The place past the byte 0 at or after `offset`.
std::optional<std::uint64_t> past_text(File file, std::uint64_t offset) {
  if (offset >= file.size()) return std::nullopt;
  const void* const zero = std::memchr(file.data() + offset, 0, file.size() - offset);
  if (zero == nullptr) return std::nullopt;
  return static_cast<std::uint64_t>(static_cast<const std::uint8_t*>(zero) - file.data()) + 1;
}

bool starts_header(const std::uint8_t* header) {
  constexpr std::uint8_t deflate_method = 8;
  return header[0] == 0x1f && header[1] == 0x8b && header[2] == deflate_method &&
         (header[3] & reserved_flags) == 0;
}

// Whether the fixed part of a header has bytes that writers of gzip are known to write. With fewer conditions
// more headers would be found among compressed bytes, where none is.
bool is_usual_header(const std::uint8_t* header) {
  const std::uint8_t work = header[8];
  const std::uint8_t system = header[9];
  return starts_header(header) && (work == 0 || work == 2 || work == 4) && (system <= 13 || system == 255);
}

// The low half of the CRC-32 of a header, which is short: bit by bit.
std::uint64_t checksum_of_header(File header) {
  std::uint32_t crc = crc32_complement;
  for (const std::uint8_t byte : header) {
    crc ^= byte;
    for (unsigned bit = 0; bit < 8; ++bit) crc = crc32_times_x(crc);
  }
  return (crc ^ crc32_complement) & 0xffff;
}

std::optional<GzipHeader> read_header(File file, std::uint64_t offset) {
  if (offset > file.size() || file.size() - offset < fixed_header_bytes) return std::nullopt;
  const std::uint8_t* const header = file.data() + offset;
  const std::uint32_t flags = header[3];
  if (!starts_header(header)) return std::nullopt;
  std::optional<std::uint64_t> at = offset + fixed_header_bytes;
  std::optional<std::uint64_t> member_bytes;
  if ((flags & has_extra) != 0) {
    if (file.size() - *at < 2) return std::nullopt;
    const std::uint64_t bytes = load_little_endian<2>(file.data() + *at);
    if (bytes > file.size() - *at - 2) return std::nullopt;
    member_bytes = member_bytes_of_extra(file.subspan(*at + 2, bytes));
    *at += 2 + bytes;
  }
  if ((flags & has_name) != 0) at = past_text(file, *at);
  if (at && (flags & has_comment) != 0) at = past_text(file, *at);
  if (!at) return std::nullopt;
  if ((flags & has_header_crc) != 0) {
    if (file.size() - *at < 2) return std::nullopt;
    const std::uint64_t stated = load_little_endian<2>(file.data() + *at);
    if (stated != checksum_of_header(file.subspan(offset, *at - offset))) return std::nullopt;
    *at += 2;
  }
  return GzipHeader{.stream_offset = *at, .member_bytes = member_bytes};
}

// The member that ends at `end`.
std::optional<GzipMember> member_to(File file, std::uint64_t offset, const GzipHeader& header,
                                    std::uint64_t end) {
  if (end > file.size() || end < header.stream_offset + gzip_trailer_bytes) return std::nullopt;
  const std::uint8_t* const trailer = file.data() + end - gzip_trailer_bytes;
  const GzipMember member = {.offset = offset,
                             .stream_offset = header.stream_offset,
                             .end = end,
                             .checksum = static_cast<std::uint32_t>(load_little_endian<4>(trailer)),
                             .output_bytes = static_cast<std::uint32_t>(load_little_endian<4>(trailer + 4)),
                             .is_sized = header.member_bytes.has_value()};
  if (member.stream_bytes() < format::codag::min_deflate_bytes(member.output_bytes) ||
      member.stream_bytes() > format::codag::max_deflate_bytes(member.output_bytes)) {
    return std::nullopt;
  }
  return member;
}

// The next place at or after `offset` that looks like a header; the file's end if there is none.
std::uint64_t next_header(File file, std::uint64_t offset) {
  while (offset + fixed_header_bytes <= file.size()) {
    const void* const magic = std::memchr(file.data() + offset, 0x1f, file.size() - offset);
    if (magic == nullptr) break;
    offset = static_cast<std::uint64_t>(static_cast<const std::uint8_t*>(magic) - file.data());
    if (file.size() - offset < fixed_header_bytes) break;
    if (is_usual_header(file.data() + offset)) return offset;
    ++offset;
  }
  return file.size();
}

}  // namespace

std::optional<GzipMember> find_member(std::span<const std::uint8_t> file, std::uint64_t offset) {
  const std::optional<GzipHeader> header = read_header(file, offset);
  if (!header) return std::nullopt;
  if (header->member_bytes) return member_to(file, offset, *header, offset + *header->member_bytes);
  for (std::uint64_t next = header->stream_offset; next < file.size();) {
    next = next_header(file, next + 1);
    // Bytes before a place that is none have a size that cannot be.
    if (const std::optional<GzipMember> member = member_to(file, offset, *header, next)) return member;
  }
  return std::nullopt;
}

}  // namespace gsst::codag::gzip
