#pragma once

#include <cstdint>

#include "common/format/gsst/block_header.hpp"
#include "common/format/gsst/symbol_table.hpp"
#include "common/stage/frame_on_device.hpp"

// One thread decodes one data block, straight from and to global memory (thesis 4.2.1).
namespace {

using gsst::format::BlockHeader;
using gsst::format::BlockLayout;
using gsst::stage::BlockOnDevice;
using gsst::stage::BlockStatus;
using gsst::stage::FrameOnDevice;

// The table is a copy of the thread's own, in local memory: 2,304 bytes a thread, the thesis's second
// objection to blocks alone.
struct SymbolTable {
  std::uint64_t symbols[256];
  std::uint8_t lengths[256];
};

__device__ BlockStatus decode_codes(const SymbolTable& table, const std::uint8_t* codes,
                                    std::uint32_t code_bytes, std::uint8_t* output,
                                    std::uint32_t output_bytes) {
  std::uint32_t written = 0;
  for (std::uint32_t position = 0; position < code_bytes; ++position) {
    const std::uint8_t code = codes[position];
    std::uint64_t symbol;
    std::uint32_t length;
    if (code == gsst::format::escape_code) {
      if (++position == code_bytes) return BlockStatus::escape_at_end;
      symbol = codes[position];
      length = 1;
    } else {
      length = table.lengths[code];
      if (length == 0) return BlockStatus::code_without_symbol;
      symbol = table.symbols[code];
    }
    if (length > output_bytes - written) return BlockStatus::output_too_long;
    for (std::uint32_t byte = 0; byte < length; ++byte) {
      output[written++] = static_cast<std::uint8_t>(symbol >> (8 * byte));
    }
  }
  return written == output_bytes ? BlockStatus::decoded : BlockStatus::output_too_short;
}

__device__ BlockStatus decode_block(const BlockOnDevice& block, const FrameOnDevice& frame) {
  if (block.layout == BlockLayout::raw) {
    for (std::uint32_t byte = 0; byte < block.uncompressed_bytes; ++byte)
      block.output[byte] = block.payload[byte];
    return BlockStatus::decoded;
  }
  const std::uint32_t table_offset = BlockHeader(block.payload, frame.format, block.layout).header_bytes();
  SymbolTable table;
  const std::uint32_t table_bytes =
      gsst::format::read_symbols(block.payload + table_offset, table.symbols, table.lengths);
  const std::uint32_t codes_offset = table_offset + table_bytes;
  return decode_codes(table, block.payload + codes_offset, block.payload_bytes - codes_offset, block.output,
                      block.uncompressed_bytes);
}

// `output` and `status` as in DecodeRequest. Any grid: each thread takes every block that many threads
// further on.
__global__ void decode_blocks(FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status) {
  const std::uint32_t thread_count = gridDim.x * blockDim.x;
  for (std::uint32_t index = blockIdx.x * blockDim.x + threadIdx.x; index < frame.block_count;
       index += thread_count) {
    status[index] = static_cast<std::uint32_t>(decode_block(frame.block(index, output), frame));
  }
}

}  // namespace
