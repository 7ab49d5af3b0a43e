#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

#include "common/frame/frame.hpp"

namespace gsst::pipeline {

/// Blocks of a frame that follow each other, whose headers have been checked.
struct Batch {
  /// Number of the first of them in the frame.
  std::uint64_t first_block = 0;
  /// The index of a frame that holds these blocks and no other.
  format::FrameIndex index;
  /// The blocks with their records, as they stand in the frame. Host memory.
  std::span<const std::uint8_t> bytes;
  /// The traits that its blocks have.
  std::uint32_t traits = 0;
  /// What blocks in front of the batch hold for some of its blocks, by the numbers of these blocks in the
  /// frame.
  std::map<std::uint64_t, format::PayloadPart> parts;

  /// Adds the block that follows the last one, whose payload has been checked.
  void add(const format::BlockRecord& record, const format::CheckedPayload& payload) {
    format::append_block(index, record);
    traits |= payload.traits;
    if (payload.part && payload.holder < first_block) parts[payload.holder] = payload.part;
  }

  /// Blocks from the first one of `parts` to the batch's first.
  std::uint64_t blocks_back_to_parts() const {
    return parts.empty() ? 0 : first_block - parts.begin()->first;
  }
};

/// The most that one batch may have. What blocks in front of it hold for it comes on top.
struct BatchLimits {
  std::uint64_t blocks;
  /// Blocks with their records.
  std::uint64_t bytes;
  std::uint64_t output_bytes;

  /// Whether a batch may hold the block of that record, alone.
  bool holds(const format::BlockRecord& record) const {
    return blocks != 0 && format::record_header_bytes + record.payload_bytes <= bytes &&
           record.uncompressed_bytes <= output_bytes;
  }
};

/// Bytes of index and trailer of a frame of `blocks` blocks.
constexpr std::uint64_t frame_end_bytes(std::uint64_t blocks) {
  return format::record_header_bytes + blocks * format::index_entry_bytes + format::index_totals_bytes +
         format::frame_trailer_bytes;
}

}  // namespace gsst::pipeline
