#pragma once

#include <cstdint>
#include <vector>

#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "common/pipeline/stage_run.hpp"
#include "reference_cpu/block_codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "reference_cpu/train.hpp"

/// Frames whose encoder made blocks larger than they were.
namespace gsst::streaming::test {

/// A block behind those that are in `frame` and its index.
inline void append_block(std::vector<std::uint8_t>& frame, format::FrameIndex& index,
                         const format::BlockRecord& record, std::span<const std::uint8_t> payload) {
  format::append_block(index, record);
  const auto record_bytes = format::build_block_record(record);
  frame.insert(frame.end(), record_bytes.begin(), record_bytes.end());
  frame.insert(frame.end(), payload.begin(), payload.end());
}

/// What append_block() needs to be followed by.
inline void append_end(std::vector<std::uint8_t>& frame, const format::FrameIndex& index) {
  const std::vector<std::uint8_t> end = format::build_frame_end(index);
  frame.insert(frame.end(), end.begin(), end.end());
}

/// A frame for `run` with a block of `block_bytes` bytes for each of `is_text`: of text, or else of random
/// bytes, each of which is escaped. What it decodes to is appended to `input`.
inline std::vector<std::uint8_t> frame_with_larger_blocks(const pipeline::StageRun& run,
                                                          std::uint32_t block_bytes,
                                                          const std::vector<bool>& is_text,
                                                          std::vector<std::uint8_t>& input) {
  const format::FrameHeader header = {
      .format = run.stage->description.format, .block_size = block_bytes, .split_count = 5};
  const auto header_bytes = format::build_frame_header(header);
  std::vector<std::uint8_t> frame(header_bytes.begin(), header_bytes.end());
  format::FrameIndex index;
  const format::SymbolTable table = reference::train_symbol_table(reference::test::make_text(block_bytes, 7));
  for (const bool is_text_block : is_text) {
    const std::vector<std::uint8_t> block = is_text_block ? reference::test::make_text(block_bytes, 7)
                                                          : reference::test::make_random(block_bytes, 7);
    const format::BuiltBlock built = reference::encode_block(header.format, table, block, header.split_count);
    append_block(frame, index,
                 {.layout = built.layout,
                  .payload_bytes = static_cast<std::uint32_t>(built.bytes.size()),
                  .uncompressed_bytes = block_bytes,
                  .checksum = format::checksum(format::ChecksumKind::xxh64, block)},
                 built.bytes);
    input.insert(input.end(), block.begin(), block.end());
  }
  append_end(frame, index);
  return frame;
}

}  // namespace gsst::streaming::test
