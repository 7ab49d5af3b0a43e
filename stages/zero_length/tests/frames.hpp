#pragma once

#include <cstdint>

#include "common/format/zero_length/zero_length.hpp"
#include "common/frame/frame.hpp"
#include "stages/zero_length/tests/inputs.hpp"

/// Frames that no encoder writes.
namespace gsst::zero_length::test {

/// A frame of `format` with one block of these elements, in format zle_markers with their markers, consistent
/// in all but them.
inline Bytes frame_of_elements(const Bytes& elements, std::uint32_t uncompressed_bytes,
                               format::BlockFormat format = format::zero_length::frame_format) {
  const format::BlockRecord record = {.layout = format::zero_length::elements_layout,
                                      .payload_bytes = static_cast<std::uint32_t>(elements.size()),
                                      .uncompressed_bytes = uncompressed_bytes,
                                      .checksum = 0};
  format::FrameIndex index;
  format::append_block(index, record);
  const auto header =
      format::build_frame_header({.format = format, .block_size = std::uint64_t{1} << 30, .split_count = 1});
  const auto stored = format::build_block_record(record);
  const Bytes end = format::build_frame_end(index);
  Bytes frame(header.begin(), header.end());
  frame.insert(frame.end(), stored.begin(), stored.end());
  frame.insert(frame.end(), elements.begin(), elements.end());
  frame.insert(frame.end(), end.begin(), end.end());
  return frame;
}

}  // namespace gsst::zero_length::test
