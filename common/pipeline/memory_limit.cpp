#include "common/pipeline/memory_limit.hpp"

#include <algorithm>
#include <string>

#include "common/format/formats.hpp"
#include "common/format/part_size.hpp"
#include "common/frame/checksum.hpp"

namespace gsst::pipeline {
namespace {

// With a checksum of each piece, whatever the frame's are of: a five hundredth of the output. And with what
// decoders keep of tiles that look back, a word for each block and for each 8 KiB.
std::uint64_t slot_bytes(const BatchLimits& limits) {
  const std::uint64_t pieces =
      limits.blocks + format::part_size(limits.output_bytes, format::checksum_piece_bytes);
  constexpr std::uint64_t tile_bytes = 8192;
  const std::uint64_t tiles = limits.blocks + format::part_size(limits.bytes, tile_bytes);
  return format::frame_header_bytes + limits.bytes + frame_end_bytes(limits.blocks) + limits.output_bytes +
         limits.blocks * sizeof(std::uint32_t) + (pieces + tiles) * sizeof(std::uint64_t);
}

// What one block takes, the next one and those after it.
BatchLimits limits_of_block(const format::FrameHeader& header, const format::BlockRecord& next,
                            std::optional<std::uint64_t> frame_bytes) {
  const std::uint64_t next_bytes = format::record_header_bytes + std::uint64_t{next.payload_bytes};
  BatchLimits limits{.blocks = 1, .bytes = next_bytes, .output_bytes = next.uncompressed_bytes};
  // A shorter block is the last one.
  if (next.uncompressed_bytes < header.block_size) return limits;
  std::uint64_t most_bytes =
      format::record_header_bytes +
      format::rules_of(header.format).usual_payload_bytes(header.split_count, header.block_size);
  if (frame_bytes) most_bytes = std::min(most_bytes, *frame_bytes);
  limits.bytes = std::max(next_bytes, most_bytes);
  return limits;
}

// Blocks that the frame has from the next one on, at most.
std::uint64_t most_blocks(const format::FrameHeader& header, const format::BlockRecord& next,
                          std::optional<std::uint64_t> frame_bytes) {
  if (next.uncompressed_bytes < header.block_size) return 1;
  if (!frame_bytes) return format::max_block_count;
  const std::uint64_t least_bytes =
      format::record_header_bytes + format::index_entry_bytes +
      format::part_size(header.block_size, format::rules_of(header.format).limits().max_bytes_per_code_byte);
  return std::clamp<std::uint64_t>(format::part_size(*frame_bytes, least_bytes), 1, format::max_block_count);
}

}  // namespace

MemoryLimitError::MemoryLimitError(std::uint64_t allowed_bytes, std::uint64_t needed_bytes)
    : std::runtime_error("blocks of this size need " + std::to_string(needed_bytes) +
                         " bytes of memory, allowed are " + std::to_string(allowed_bytes)) {}

std::uint64_t StreamMemory::bytes() const {
  return slots * slot_bytes(batch);
}

bool StreamMemory::is_pinned() const {
  return bytes() <= most_pinned_bytes;
}

StreamMemory plan_stream_memory(std::uint64_t allowed_bytes, const format::FrameHeader& header,
                                const format::BlockRecord& next, std::optional<std::uint64_t> frame_bytes) {
  const BatchLimits block = limits_of_block(header, next, frame_bytes);
  const std::uint64_t fixed = slot_bytes({.blocks = 0, .bytes = 0, .output_bytes = 0});
  const std::uint64_t per_block = slot_bytes(block) - fixed;
  if (allowed_bytes < fixed + per_block) throw MemoryLimitError(allowed_bytes, fixed + per_block);

  const std::uint64_t in_frame = most_blocks(header, next, frame_bytes);
  const std::uint64_t wanted = std::max(std::min(allowed_bytes, most_pinned_bytes) / slot_count, fixed);
  const std::uint64_t blocks = std::clamp<std::uint64_t>((wanted - fixed) / per_block, 1, in_frame);
  BatchLimits batch{
      .blocks = blocks, .bytes = blocks * block.bytes, .output_bytes = blocks * block.output_bytes};
  if (frame_bytes) batch.bytes = std::clamp(*frame_bytes, block.bytes, batch.bytes);
  const std::uint64_t slots = std::min<std::uint64_t>(
      {slot_count, format::part_size(in_frame, blocks), allowed_bytes / slot_bytes(batch)});
  return {.slots = static_cast<unsigned>(slots), .batch = batch};
}

}  // namespace gsst::pipeline
