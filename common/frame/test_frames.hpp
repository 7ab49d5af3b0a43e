#pragma once

#include <cstdint>
#include <vector>

#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"

namespace gsst::format {

/// For tests: the header of raw_frame() where another is not asked for.
inline constexpr FrameHeader sample_header{.format = BlockFormat::splits, .block_size = 8, .split_count = 3};

/// For tests: adds `more` behind `bytes`.
template <typename Container>
void append(std::vector<std::uint8_t>& bytes, const Container& more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

/// For tests: a frame of these blocks, stored as they are.
inline std::vector<std::uint8_t> raw_frame(const std::vector<std::vector<std::uint8_t>>& blocks,
                                           const FrameHeader& header = sample_header) {
  std::vector<std::uint8_t> bytes;
  append(bytes, build_frame_header(header));
  FrameIndex index;
  for (const std::vector<std::uint8_t>& block : blocks) {
    const BlockRecord record{.layout = BlockLayout::raw,
                             .payload_bytes = static_cast<std::uint32_t>(block.size()),
                             .uncompressed_bytes = static_cast<std::uint32_t>(block.size()),
                             .checksum = checksum(block)};
    append_block(index, record);
    append(bytes, build_block_record(record));
    append(bytes, block);
  }
  append(bytes, build_frame_end(index));
  return bytes;
}

}  // namespace gsst::format
