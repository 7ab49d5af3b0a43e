#pragma once

#include <cstddef>
#include <cstdint>

#include "common/format/block_format.hpp"
#include "common/format/bytes.hpp"
#include "common/format/host_device.hpp"
#include "common/format/part_size.hpp"

/// Where the fields of a block stand and how to read them, for the host's parser and for kernels alike.
/// Sections 3 to 5 of FORMAT.md. Nothing here checks anything: parse_block() has to accept a block first.
namespace gsst::format {

/// Whether blocks of this format are divided into splits.
GSST_HOST_DEVICE inline bool has_splits(BlockFormat format) {
  return format == BlockFormat::splits || format == BlockFormat::coalesced;
}

/// Reads the header fields of one block of a frame that is not of format tiles (tiles_header.hpp). `block`
/// points to the block's first byte, in memory that the caller can read, and to at least header_bytes()
/// bytes.
class BlockHeader {
public:
  GSST_HOST_DEVICE BlockHeader(const std::uint8_t* block, BlockFormat format, BlockLayout layout)
      : block_(block), format_(format), wide_(layout == BlockLayout::wide) {}

  /// Bytes of the whole block, this field included.
  GSST_HOST_DEVICE std::uint32_t block_bytes() const {
    return static_cast<std::uint32_t>(wide_ ? load_little_endian<4>(block_) : load_big_endian<3>(block_));
  }
  /// Bytes that the block decodes to.
  GSST_HOST_DEVICE std::uint32_t uncompressed_bytes() const {
    return static_cast<std::uint32_t>(load_little_endian<4>(block_ + (wide_ ? 4 : 3)));
  }
  /// Number of splits; 1 where the format has none.
  GSST_HOST_DEVICE std::uint32_t split_count() const {
    if (!has_splits(format_)) return 1;
    return wide_ ? static_cast<std::uint32_t>(load_little_endian<4>(block_ + 8)) : block_[7];
  }
  /// Where split `split` starts. Format splits: bytes from the first code to the split's first code.
  /// Format coalesced: bytes from the start of the block's output to the start of the split's output.
  GSST_HOST_DEVICE std::uint32_t split_location(std::uint32_t split) const {
    const std::uint32_t value = stored_location(split);
    return format_ == BlockFormat::coalesced ? value & ~escape_bit() : value;
  }
  /// Format coalesced: whether the first code of `split` is the byte that the escape before it, the last code
  /// of split - 1, lets stand for itself (FORMAT.md, section 5).
  GSST_HOST_DEVICE bool starts_escaped(std::uint32_t split) const {
    return format_ == BlockFormat::coalesced && (stored_location(split) & escape_bit()) != 0;
  }
  /// Bytes before the symbol table.
  GSST_HOST_DEVICE std::uint32_t header_bytes() const {
    const std::uint32_t fixed = fixed_header_bytes();
    return has_splits(format_) ? fixed + split_count() * (wide_ ? 4u : 3u) : fixed;
  }
  /// Bytes before the split locations; all of the header where the format has no splits.
  GSST_HOST_DEVICE std::uint32_t fixed_header_bytes() const {
    if (!has_splits(format_)) return wide_ ? 8 : 7;
    return wide_ ? 12 : 8;
  }
  /// Bit of a stored coalesced split location that starts_escaped() reads.
  GSST_HOST_DEVICE std::uint32_t escape_bit() const { return wide_ ? 1u << 31 : 1u << 23; }

private:
  GSST_HOST_DEVICE std::uint32_t stored_location(std::uint32_t split) const {
    const std::uint8_t* location = block_ + fixed_header_bytes() + std::size_t{split} * (wide_ ? 4 : 3);
    return static_cast<std::uint32_t>(wide_ ? load_little_endian<4>(location)
                                            : load_little_endian<3>(location));
  }

  const std::uint8_t* block_;
  BlockFormat format_;
  bool wide_;
};

/// Number of codes that split `split` of `split_count` has in a coalesced block of `code_bytes` codes: the
/// first code_bytes % split_count splits have one more than the others (FORMAT.md, section 5).
GSST_HOST_DEVICE inline std::uint32_t coalesced_split_codes(std::uint32_t code_bytes,
                                                            std::uint32_t split_count, std::uint32_t split) {
  return code_bytes / split_count + (split < code_bytes % split_count ? 1 : 0);
}

/// Where code `index` of split `split` stands in the codes of a coalesced block (Eq 4.6).
GSST_HOST_DEVICE inline std::uint64_t coalesced_code_location(std::uint32_t split_count, std::uint32_t split,
                                                              std::uint64_t index) {
  return split + index * split_count;
}

}  // namespace gsst::format
