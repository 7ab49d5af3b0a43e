#pragma once

#include <cstdint>

#include "common/format/gsst/block_header.hpp"
#include "common/format/gsst/symbol_table.hpp"
#include "common/frame/index_entry.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/gsst/shared/aligned_transfer.cuh"
#include "stages/gsst/shared/output_buffer.cuh"
#include "stages/gsst/shared/shared_header.cuh"

// As stage 04, with a limit to the registers of a thread: fewer of them let more threads run at the same
// time.
namespace {

using gsst::format::BlockHeader;
using gsst::format::BlockLayout;
using gsst::stage::BlockOnDevice;
using gsst::stage::BlockStatus;
using gsst::stage::bytes_to_aligned;
using gsst::stage::FrameOnDevice;
using gsst::stage::OutputBuffer;
using gsst::stage::parse_header;
using gsst::stage::SharedHeader;
using gsst::stage::transfer;

// Reads codes from global memory, as many at a time as the thread's buffer in shared memory holds: single
// bytes up to the first aligned address, then whole transfers. The last one may reach over the split's end,
// and `filled_` stops before what is too much; it never reaches over the frame's end.
template <int Alignment, int Transfers>
class InputBuffer {
  static_assert(Alignment <= gsst::format::min_bytes_after_block);

public:
  __device__ InputBuffer(std::uint8_t* buffer, const std::uint8_t* codes, std::uint32_t code_bytes)
      : buffer_(buffer), next_(codes), end_(codes + code_bytes) {}

  __device__ bool is_at_end() const { return position_ == filled_ && next_ == end_; }

  // Only if not at the end.
  __device__ std::uint8_t take() {
    if (position_ == filled_) fill();
    return buffer_[position_++];
  }

private:
  __device__ void fill() {
    position_ = 0;
    filled_ = 0;
    const std::uint32_t unaligned = bytes_to_aligned<Alignment>(next_);
    if (unaligned != 0) {
      copy_bytes(unaligned);
      return;
    }
    for (int i = 0; i < Transfers && next_ != end_; ++i) {
      transfer<Alignment>(buffer_ + i * Alignment, next_);
      advance(Alignment);
    }
  }

  __device__ void copy_bytes(std::uint32_t count) {
    for (std::uint32_t i = 0; i < count && next_ != end_; ++i) buffer_[filled_++] = *next_++;
  }

  __device__ void advance(std::uint32_t count) {
    const auto left = static_cast<std::uint32_t>(end_ - next_);
    const std::uint32_t used = count < left ? count : left;
    filled_ += used;
    next_ += used;
  }

  std::uint8_t* buffer_;
  const std::uint8_t* next_;
  const std::uint8_t* end_;
  std::uint32_t position_ = 0;
  std::uint32_t filled_ = 0;
};

template <typename Input, typename Output>
__device__ BlockStatus decode_codes(const SharedHeader& header, Input& input, Output& output) {
  while (!input.is_at_end()) {
    const std::uint8_t code = input.take();
    std::uint64_t symbol;
    std::uint32_t length;
    if (code == gsst::format::escape_code) {
      if (input.is_at_end()) return BlockStatus::escape_at_end;
      symbol = input.take();
      length = 1;
    } else {
      length = header.lengths[code];
      if (length == 0) return BlockStatus::code_without_symbol;
      symbol = header.symbols[code];
    }
    if (length > output.left()) return BlockStatus::output_too_long;
    output.put(symbol, length);
  }
  output.flush();
  return output.left() == 0 ? BlockStatus::decoded : BlockStatus::output_too_short;
}

template <int Alignment, int InputTransfers, int OutputTransfers>
__device__ BlockStatus decode_split(const BlockOnDevice& block, const FrameOnDevice& frame,
                                    std::uint32_t split, const SharedHeader& shared_header,
                                    std::uint8_t* thread_buffers) {
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
  InputBuffer<Alignment, InputTransfers> input_buffer(thread_buffers, shared_header.codes + begin,
                                                      end - begin);
  OutputBuffer<Alignment, OutputTransfers> output_buffer(thread_buffers + Alignment * InputTransfers, output,
                                                         output_bytes);
  return decode_codes(shared_header, input_buffer, output_buffer);
}

// Where the threads' buffers start in shared memory.
template <int Alignment>
constexpr std::uint32_t buffers_offset = (sizeof(SharedHeader) + Alignment - 1) / Alignment* Alignment;

// `output` and `status` as in DecodeRequest; status is 0 before. Shared memory: buffers_offset<Alignment>
// bytes, then Alignment * (InputTransfers + OutputTransfers) for each thread of the block. Any grid.
template <int Alignment, int InputTransfers, int OutputTransfers, int Registers>
__global__ void __maxnreg__(Registers)
    decode_splits(FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status) {
  GSST_SHARED_MEMORY(shared);
  SharedHeader& header = *reinterpret_cast<SharedHeader*>(shared);
  std::uint8_t* const thread_buffers =
      shared + buffers_offset<Alignment> + threadIdx.x * Alignment * (InputTransfers + OutputTransfers);
  for (std::uint32_t index = blockIdx.x; index < frame.block_count; index += gridDim.x) {
    const BlockOnDevice block = frame.block(index, output);
    if (threadIdx.x == 0 && block.layout != BlockLayout::raw) parse_header(block, frame, header);
    __syncthreads();
    for (std::uint32_t split = threadIdx.x; split < frame.split_count; split += blockDim.x) {
      const BlockStatus result = decode_split<Alignment, InputTransfers, OutputTransfers>(
          block, frame, split, header, thread_buffers);
      if (result != BlockStatus::decoded) atomicMax(&status[index], static_cast<std::uint32_t>(result));
    }
    // The next block's header must not overwrite this one while a thread still decodes.
    __syncthreads();
  }
}

}  // namespace
