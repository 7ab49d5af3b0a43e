#include "common/pipeline/memory_limit.hpp"

#include <algorithm>
#include <string>

#include "common/format/block.hpp"
#include "common/format/symbol_table.hpp"

namespace gsst::pipeline {

MemoryLimitError::MemoryLimitError(std::uint64_t allowed_bytes, std::uint64_t needed_bytes)
    : std::runtime_error("blocks of this size need " + std::to_string(needed_bytes) +
                         " bytes of memory, allowed are " + std::to_string(allowed_bytes)) {}

std::uint64_t memory_bytes(const BatchLimits& limits) {
  const std::uint64_t frame = format::frame_header_bytes + limits.bytes + frame_end_bytes(limits.blocks);
  return slot_count * (frame + limits.output_bytes + limits.blocks * sizeof(std::uint32_t));
}

BatchLimits limits_within(std::uint64_t allowed_bytes, const format::FrameHeader& header,
                          std::optional<std::uint64_t> frame_bytes) {
  const BatchLimits one_block{.blocks = 1,
                              .bytes = format::record_header_bytes + format::max_symbol_table_bytes +
                                       format::max_block_header_bytes(header.format, header.split_count) +
                                       header.block_size,
                              .output_bytes = header.block_size};
  const std::uint64_t fixed = memory_bytes({.blocks = 0, .bytes = 0, .output_bytes = 0});
  const std::uint64_t per_block = memory_bytes(one_block) - fixed;
  if (allowed_bytes < fixed + per_block) throw MemoryLimitError(allowed_bytes, fixed + per_block);
  std::uint64_t blocks = std::min((allowed_bytes - fixed) / per_block, format::max_block_count);
  std::uint64_t bytes = blocks * one_block.bytes;
  if (frame_bytes) {
    // A byte of codes gives at most one symbol, and each block has a record.
    const std::uint64_t most_output = *frame_bytes * format::max_symbol_length;
    blocks = std::clamp<std::uint64_t>(format::part_size(most_output, header.block_size), 1, blocks);
    bytes = std::clamp(*frame_bytes, one_block.bytes, bytes);
  }
  return {.blocks = blocks, .bytes = bytes, .output_bytes = blocks * header.block_size};
}

}  // namespace gsst::pipeline
