#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>

#include "common/pipeline/memory_limit.hpp"

/// What the tests of streams share.
namespace gsst::streaming::test {

/// The memory of batches of `blocks` full blocks of `frame`.
inline std::uint64_t memory_of(std::uint64_t blocks, std::span<const std::uint8_t> frame) {
  const format::FrameHeader header = format::parse_frame_header(frame);
  const format::BlockRecord full = {.layout = format::BlockLayout::narrow,
                                    .payload_bytes = 0,
                                    .uncompressed_bytes = static_cast<std::uint32_t>(header.block_size),
                                    .checksum = 0};
  for (std::uint64_t memory = 1; memory < 10'000'000; memory += 100) {
    try {
      if (pipeline::plan_stream_memory(memory, header, full, std::nullopt).batch.blocks == blocks) {
        return memory;
      }
    } catch (const pipeline::MemoryLimitError&) {
      continue;
    }
  }
  throw std::logic_error("no memory holds so many blocks");
}

}  // namespace gsst::streaming::test
