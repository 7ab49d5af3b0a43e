#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "common/format/bytes.hpp"
#include "common/format/host_device.hpp"
#include "common/frame/frame.hpp"
#include "common/frame/index_entry.hpp"

/// How the parts of a frame around its blocks are written, by the host's builder and by kernels alike.
/// Section 6 of FORMAT.md.
namespace gsst::format {

/// Writes the record_header_bytes of a record. An index has no layout (raw) and no uncompressed bytes.
GSST_HOST_DEVICE inline void write_record(std::uint8_t* to, RecordKind kind, const BlockRecord& record) {
  // The reserved bytes are 0.
  store_little_endian<8>(to, static_cast<std::uint64_t>(kind) | static_cast<std::uint64_t>(record.layout)
                                                                    << 8);
  store_little_endian<4>(to + 8, record.payload_bytes);
  store_little_endian<4>(to + 12, record.uncompressed_bytes);
  store_little_endian<8>(to + 16, record.checksum);
}

/// Writes the index_entry_bytes of a block's entry.
GSST_HOST_DEVICE inline void write_index_entry(std::uint8_t* to, const IndexEntry& entry) {
  store_little_endian<8>(to, entry.payload_offset);
  store_little_endian<8>(to + 8, entry.uncompressed_offset);
  write_record(to + 16, RecordKind::block, entry.record);
}

/// Writes the index_totals_bytes behind the last entry.
GSST_HOST_DEVICE inline void write_index_totals(std::uint8_t* to, std::uint64_t block_count,
                                                std::uint64_t uncompressed_bytes) {
  store_little_endian<8>(to, block_count);
  store_little_endian<8>(to + 8, uncompressed_bytes);
}

/// Writes the frame_trailer_bytes: `frame_bytes` are those of the whole frame, `index_bytes` those of the
/// index with its record.
GSST_HOST_DEVICE inline void write_trailer(std::uint8_t* to, std::uint64_t frame_bytes,
                                           std::uint64_t index_bytes) {
  // A copy: a kernel cannot take the address of a constant of the host.
  constexpr std::array<std::uint8_t, 8> magic = trailer_magic;
  store_little_endian<8>(to, frame_bytes);
  store_little_endian<8>(to + 8, index_bytes);
  for (std::size_t byte = 0; byte < magic.size(); ++byte) to[16 + byte] = magic[byte];
}

}  // namespace gsst::format
