#pragma once

#include <cstdint>

#include "common/format/gsst/tiles_header.hpp"
#include "common/frame/index_entry.hpp"
#include "common/stage/frame_on_device.hpp"
#include "stages/search/shared/search_on_device.hpp"

namespace gsst::search::kernels {
namespace {

// Describes each block of the frame to those who search it. A thread a block.
__global__ void describe_blocks(stage::FrameOnDevice frame, SearchedBlock* blocks) {
  const std::uint32_t number = blockIdx.x * blockDim.x + threadIdx.x;
  if (number >= frame.block_count) return;
  const auto entry_of = [&](std::uint32_t block) {
    return format::IndexEntryFields(frame.bytes + frame.index_offset +
                                    std::uint64_t{block} * format::index_entry_bytes);
  };
  const format::IndexEntryFields entry = entry_of(number);
  SearchedBlock block{.payload = entry.payload_offset(),
                      .symbols = 0,
                      .class_lengths = 0,
                      .text_begin = entry.uncompressed_offset(),
                      .text_bytes = entry.uncompressed_bytes(),
                      .payload_bytes = entry.payload_bytes(),
                      .code_count = entry.uncompressed_bytes(),
                      .tiles_per_strip = 0,
                      .holder = number,
                      .first_stored_code = 0,
                      .code_bits = 0,
                      .codes_per_lane = 0};
  if (entry.layout() != format::BlockLayout::raw) {
    const format::TilesHeader header(frame.bytes + block.payload);
    block.holder = number - header.dictionary_id();
    const format::TilesHeader holder(frame.bytes + entry_of(block.holder).payload_offset());
    block.symbols = static_cast<std::uint64_t>(holder.stored_symbols() - frame.bytes);
    for (std::uint32_t i = 0; i < format::length_class_count; ++i) {
      block.class_lengths |= std::uint64_t{header.class_length(i)} << (4 * i);
    }
    block.code_count = header.code_count();
    block.tiles_per_strip = header.tiles_per_strip();
    block.first_stored_code = header.first_stored_code();
    block.code_bits = header.shape().code_bits;
    block.codes_per_lane = header.shape().codes_per_lane;
  }
  blocks[number] = block;
}

}  // namespace
}  // namespace gsst::search::kernels
