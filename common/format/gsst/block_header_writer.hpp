#pragma once

#include <cstddef>
#include <cstdint>

#include "common/format/bytes.hpp"
#include "common/format/gsst/block_header.hpp"
#include "common/format/host_device.hpp"

/// How the header of a block of formats blocks, splits and coalesced is written, by the host's builder and by
/// kernels alike. Sections 3 to 5 of FORMAT.md.
namespace gsst::format {

/// The largest value of a field of 3 bytes: of a narrow block's size, and of its split locations.
inline constexpr std::uint32_t max_narrow_field = 0xffffff;

/// Whether a block of `block_bytes` bytes in the narrow layout, header and table included, can state its size
/// and its number of splits.
GSST_HOST_DEVICE inline bool fits_narrow(std::uint64_t block_bytes, std::uint64_t split_count) {
  constexpr std::uint64_t max_narrow_split_count = 0xff;
  return block_bytes <= max_narrow_field && split_count <= max_narrow_split_count;
}

/// Bytes before the symbol table. `layout` is narrow or wide; `split_count` counts where the format has
/// splits.
GSST_HOST_DEVICE inline std::uint32_t block_header_bytes(BlockFormat format, BlockLayout layout,
                                                         std::uint32_t split_count) {
  const std::uint32_t fixed = BlockHeader(nullptr, format, layout).fixed_header_bytes();
  return has_splits(format) ? fixed + split_count * (layout == BlockLayout::wide ? 4u : 3u) : fixed;
}

/// Writes the header fields of one block. Nothing here checks whether they fit the layout.
class BlockHeaderWriter {
public:
  /// `block` points to block_header_bytes() bytes that the caller can write; `layout` is narrow or wide.
  GSST_HOST_DEVICE BlockHeaderWriter(std::uint8_t* block, BlockFormat format, BlockLayout layout)
      : block_(block), format_(format), layout_(layout) {}

  /// All fields but the split locations. `block_bytes` are those of the whole block.
  GSST_HOST_DEVICE void write_fixed_fields(std::uint32_t block_bytes, std::uint32_t uncompressed_bytes,
                                           std::uint32_t split_count) const {
    if (layout_ == BlockLayout::wide) {
      store_little_endian<4>(block_, block_bytes);
      store_little_endian<4>(block_ + 4, uncompressed_bytes);
      if (has_splits(format_)) store_little_endian<4>(block_ + 8, split_count);
    } else {
      store_big_endian<3>(block_, block_bytes);
      store_little_endian<4>(block_ + 3, uncompressed_bytes);
      if (has_splits(format_)) block_[7] = static_cast<std::uint8_t>(split_count);
    }
  }

  /// The location of split `split`; in format coalesced with BlockHeader::escape_bit() where it is set.
  GSST_HOST_DEVICE void write_split_location(std::uint32_t split, std::uint32_t location) const {
    std::uint8_t* const locations = block_ + BlockHeader(block_, format_, layout_).fixed_header_bytes();
    if (layout_ == BlockLayout::wide) {
      store_little_endian<4>(locations + std::size_t{split} * 4, location);
    } else {
      store_little_endian<3>(locations + std::size_t{split} * 3, location);
    }
  }

private:
  std::uint8_t* block_;
  BlockFormat format_;
  BlockLayout layout_;
};

}  // namespace gsst::format
