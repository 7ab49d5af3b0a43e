#pragma once

#include <cstdint>

#include "common/format/gsst/block_header.hpp"
#include "common/format/gsst/symbol_table.hpp"
#include "common/stage/frame_on_device.hpp"

namespace gsst::stage {

/// What threads need of their block's header, in shared memory: written by one thread, read by all (thesis
/// 4.3.1). Stages use it from 03 on.
struct SharedHeader {
  /// By code; a length of 0 means that the code has no symbol.
  std::uint64_t symbols[256];
  std::uint8_t lengths[256];
  /// The block's codes, code_bytes bytes of global memory.
  const std::uint8_t* codes;
  std::uint32_t code_bytes;
};

/// Reads the header of a block that is not stored as it is.
__device__ inline void parse_header(const BlockOnDevice& block, const FrameOnDevice& frame,
                                    SharedHeader& header) {
  const std::uint32_t table_offset =
      format::BlockHeader(block.payload, frame.format, block.layout).header_bytes();
  const std::uint32_t table_bytes =
      format::read_symbols(block.payload + table_offset, header.symbols, header.lengths);
  header.codes = block.payload + table_offset + table_bytes;
  header.code_bytes = block.payload_bytes - table_offset - table_bytes;
}

}  // namespace gsst::stage
