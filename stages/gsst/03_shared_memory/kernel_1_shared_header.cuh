#pragma once

#include <cstdint>

#include "common/format/gsst/block_header.hpp"
#include "common/format/gsst/symbol_table.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/gsst/shared/shared_header.cuh"

// Step 1: one thread parses the header, into shared memory, for all threads of the block (thesis 4.3.1).
namespace {
namespace shared_header {

using gsst::format::BlockHeader;
using gsst::format::BlockLayout;
using gsst::stage::BlockOnDevice;
using gsst::stage::BlockStatus;
using gsst::stage::FrameOnDevice;
using gsst::stage::parse_header;
using gsst::stage::SharedHeader;

__device__ BlockStatus decode_codes(const SharedHeader& header, const std::uint8_t* codes,
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
      length = header.lengths[code];
      if (length == 0) return BlockStatus::code_without_symbol;
      symbol = header.symbols[code];
    }
    if (length > output_bytes - written) return BlockStatus::output_too_long;
    for (std::uint32_t byte = 0; byte < length; ++byte) {
      output[written++] = static_cast<std::uint8_t>(symbol >> (8 * byte));
    }
  }
  return written == output_bytes ? BlockStatus::decoded : BlockStatus::output_too_short;
}

// The thread's input follows from the header, its output from the constant split size (Eq 4.3).
__device__ BlockStatus decode_split(const BlockOnDevice& block, const FrameOnDevice& frame,
                                    std::uint32_t split, const SharedHeader& shared_header) {
  const std::uint32_t split_size =
      static_cast<std::uint32_t>(gsst::format::part_size(block.uncompressed_bytes, frame.split_count));
  const std::uint64_t wanted_start = std::uint64_t{split} * split_size;
  if (wanted_start >= block.uncompressed_bytes) return BlockStatus::decoded;
  const auto start = static_cast<std::uint32_t>(wanted_start);
  const std::uint32_t left = block.uncompressed_bytes - start;
  const std::uint32_t output_bytes = left < split_size ? left : split_size;
  std::uint8_t* const output = block.output + start;
  if (block.layout == BlockLayout::raw) {
    for (std::uint32_t byte = 0; byte < output_bytes; ++byte) output[byte] = block.payload[start + byte];
    return BlockStatus::decoded;
  }
  const BlockHeader header(block.payload, frame.format, block.layout);
  const std::uint32_t begin = header.split_location(split);
  const std::uint32_t end =
      split + 1 < frame.split_count ? header.split_location(split + 1) : shared_header.code_bytes;
  return decode_codes(shared_header, shared_header.codes + begin, end - begin, output, output_bytes);
}

// `output` and `status` as in DecodeRequest; status is 0 before. Shared memory: sizeof(SharedHeader) bytes.
// Any grid.
__global__ void decode_splits(FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status) {
  GSST_SHARED_MEMORY(shared);
  SharedHeader& header = *reinterpret_cast<SharedHeader*>(shared);
  for (std::uint32_t index = blockIdx.x; index < frame.block_count; index += gridDim.x) {
    const BlockOnDevice block = frame.block(index, output);
    if (threadIdx.x == 0 && block.layout != BlockLayout::raw) parse_header(block, frame, header);
    __syncthreads();
    for (std::uint32_t split = threadIdx.x; split < frame.split_count; split += blockDim.x) {
      const BlockStatus result = decode_split(block, frame, split, header);
      if (result != BlockStatus::decoded) atomicMax(&status[index], static_cast<std::uint32_t>(result));
    }
    // The next block's header must not overwrite this one while a thread still decodes.
    __syncthreads();
  }
}

}  // namespace shared_header
}  // namespace
