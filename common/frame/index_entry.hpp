#pragma once

#include <cstddef>
#include <cstdint>

#include "common/format/block_format.hpp"
#include "common/format/bytes.hpp"
#include "common/format/host_device.hpp"

namespace gsst::format {

/// Bytes in front of each payload of a frame (FORMAT.md, section 6).
inline constexpr std::size_t record_header_bytes = 24;
/// Bytes of one entry of a frame's index (FORMAT.md, section 6).
inline constexpr std::size_t index_entry_bytes = 40;

/// Every block of a frame is followed by at least so many bytes of the frame: a record header, the block's
/// own index entry, the totals and the trailer. A kernel may read that far behind the codes.
inline constexpr std::size_t min_bytes_after_block = record_header_bytes + index_entry_bytes + 16 + 24;

/// Reads the fields of an index entry, for the host's parser and for kernels alike. Nothing here checks
/// anything: parse_index() has to accept the index first.
class IndexEntryFields {
public:
  /// `entry` points to index_entry_bytes bytes that the caller can read.
  GSST_HOST_DEVICE explicit IndexEntryFields(const std::uint8_t* entry) : entry_(entry) {}

  GSST_HOST_DEVICE std::uint64_t payload_offset() const { return load_little_endian<8>(entry_); }
  GSST_HOST_DEVICE std::uint64_t uncompressed_offset() const { return load_little_endian<8>(entry_ + 8); }
  GSST_HOST_DEVICE BlockLayout layout() const { return static_cast<BlockLayout>(record()[1]); }
  GSST_HOST_DEVICE std::uint32_t payload_bytes() const {
    return static_cast<std::uint32_t>(load_little_endian<4>(record() + 8));
  }
  GSST_HOST_DEVICE std::uint32_t uncompressed_bytes() const {
    return static_cast<std::uint32_t>(load_little_endian<4>(record() + 12));
  }
  /// The repeated record header.
  GSST_HOST_DEVICE const std::uint8_t* record() const { return entry_ + 16; }

private:
  const std::uint8_t* entry_;
};

}  // namespace gsst::format
