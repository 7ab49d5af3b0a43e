#pragma once

#include <cstdint>

#include "common/format/block_format.hpp"
#include "common/format/block_status.hpp"
#include "common/format/host_device.hpp"
#include "common/frame/index_entry.hpp"

namespace gsst::stage {

using format::block_status;
using format::BlockStatus;
using format::strip_status;
using format::wrong_strip;

/// One block as a kernel sees it. The pointers are in the executor's memory.
struct BlockOnDevice {
  /// The block's first byte; payload_bytes bytes.
  const std::uint8_t* payload;
  std::uint32_t payload_bytes;
  /// Where the block's output starts; uncompressed_bytes bytes.
  std::uint8_t* output;
  std::uint32_t uncompressed_bytes;
  format::BlockLayout layout;
};

/// A frame in the executor's memory, as a kernel receives it: it finds every block through the frame's own
/// index.
struct FrameOnDevice {
  /// The whole frame, frame_bytes bytes.
  const std::uint8_t* bytes;
  std::uint64_t frame_bytes;
  /// From the frame's first byte to the first entry of its index.
  std::uint64_t index_offset;
  std::uint64_t uncompressed_bytes;
  std::uint32_t block_count;
  std::uint32_t split_count;
  format::BlockFormat format;
  /// The traits that blocks have (format::CheckedPayload). Format tiles: bit tile_shape_bit() of each shape.
  std::uint32_t payload_traits;
  /// Whether a block is stored as it is.
  bool has_raw_blocks;

  /// Counts in a checked block of `layout` with `traits`.
  void note_block(format::BlockLayout layout, std::uint32_t traits) {
    has_raw_blocks = has_raw_blocks || layout == format::BlockLayout::raw;
    payload_traits |= traits;
  }

  /// Block `block`, less than block_count; `output` is the start of the whole output.
  GSST_HOST_DEVICE BlockOnDevice block(std::uint32_t block, std::uint8_t* output) const {
    const format::IndexEntryFields entry(bytes + index_offset +
                                         std::uint64_t{block} * format::index_entry_bytes);
    return {.payload = bytes + entry.payload_offset(),
            .payload_bytes = entry.payload_bytes(),
            .output = output + entry.uncompressed_offset(),
            .uncompressed_bytes = entry.uncompressed_bytes(),
            .layout = entry.layout()};
  }
};

/// FrameOnDevice::index_offset of a frame at `frame` whose index's entries are at `index`, in memory of their
/// own. They may be at a lower address: adding the difference as an unsigned number gives theirs all the
/// same.
inline std::uint64_t offset_between(const void* frame, const void* index) {
  return reinterpret_cast<std::uintptr_t>(index) - reinterpret_cast<std::uintptr_t>(frame);
}

}  // namespace gsst::stage
