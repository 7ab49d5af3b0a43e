#pragma once

#include <cstdint>
#include <optional>

#include "common/format/block_header.hpp"
#include "common/format/host_device.hpp"
#include "common/format/index_entry.hpp"
#include "common/format/tiles_header.hpp"

namespace gsst::stage {

/// What became of a block. Several threads may report; the highest value wins.
enum class BlockStatus : std::uint32_t {
  decoded = 0,
  output_too_short = 1,
  output_too_long = 2,
  escape_at_end = 3,
  code_without_symbol = 4,
  escape_missing = 5,
  /// Of no stage: the check of the output's checksum (common/frame/checksum_check.hpp).
  wrong_checksum = 255,
};

/// What a kernel reports of a strip of format tiles: the status, and above it the strip, so that of several
/// wrong strips of a block the first wins.
GSST_HOST_DEVICE constexpr std::uint32_t strip_status(BlockStatus status, std::uint32_t strip) {
  constexpr std::uint32_t last_strip = 0xfffffe;
  return (last_strip + 1 - (strip < last_strip ? strip : last_strip)) << 8 |
         static_cast<std::uint32_t>(status);
}

/// The status in a word that a kernel has left for a block.
GSST_HOST_DEVICE constexpr BlockStatus block_status(std::uint32_t word) {
  return static_cast<BlockStatus>(word & 0xff);
}

/// The strip that such a word names, if it names one.
constexpr std::optional<std::uint32_t> wrong_strip(std::uint32_t word) {
  if (word >> 8 == 0) return std::nullopt;
  return 0xffffff - (word >> 8);
}

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

/// The bit of FrameOnDevice::tile_shapes that stands for `shape`, which a block of a checked frame has.
GSST_HOST_DEVICE constexpr std::uint32_t tile_shape_bit(const format::TileShape& shape) {
  return 1u << ((shape.code_bits - 8) / 2 * 3 + (shape.codes_per_lane - 16) / 8);
}

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
  /// Format tiles: bit tile_shape_bit() of each shape that a block has.
  std::uint32_t tile_shapes;
  /// Whether a block is stored as it is.
  bool has_raw_blocks;

  /// Counts in a checked block of `layout` whose `payload` the host can read.
  void note_block(format::BlockLayout layout, const std::uint8_t* payload) {
    if (layout == format::BlockLayout::raw) {
      has_raw_blocks = true;
    } else if (format == format::BlockFormat::tiles) {
      tile_shapes |= tile_shape_bit(format::TilesHeader(payload).shape());
    }
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
