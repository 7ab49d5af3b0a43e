#pragma once

#include <cstdint>

#include "common/format/gsst/block_header.hpp"
#include "common/format/gsst/symbol_table.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/gsst/shared/shared_header.cuh"

// Step 3: each thread collects its output in shared memory too (thesis 4.3.1).
namespace {

using gsst::format::BlockHeader;
using gsst::format::BlockLayout;
using gsst::stage::BlockOnDevice;
using gsst::stage::BlockStatus;
using gsst::stage::FrameOnDevice;
using gsst::stage::parse_header;
using gsst::stage::SharedHeader;

// Reads codes one by one from global memory, as many at a time as the thread's buffer in shared memory holds.
template <int BufferBytes>
class InputBuffer {
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
    for (filled_ = 0; filled_ < BufferBytes && next_ != end_; ++filled_) buffer_[filled_] = *next_++;
    position_ = 0;
  }

  std::uint8_t* buffer_;
  const std::uint8_t* next_;
  const std::uint8_t* end_;
  std::uint32_t position_ = 0;
  std::uint32_t filled_ = 0;
};

// Collects symbols in the thread's buffer in shared memory and writes it to global memory when it is full.
template <int BufferBytes>
class OutputBuffer {
public:
  __device__ OutputBuffer(std::uint8_t* buffer, std::uint8_t* output, std::uint32_t output_bytes)
      : buffer_(buffer), next_(output), left_(output_bytes) {}

  __device__ std::uint32_t left() const { return left_; }

  // Only if at least `length` bytes are left. A symbol that fits is stored without looking for the buffer's
  // end at each of its bytes.
  __device__ void put(std::uint64_t symbol, std::uint32_t length) {
    left_ -= length;
    const std::uint32_t room = BufferBytes - filled_;
    if (length < room) {
      store(symbol, length);
      return;
    }
    store(symbol, room);
    flush();
    if (length > room) store(symbol >> (8 * room), length - room);
  }

  __device__ void flush() {
    for (std::uint32_t byte = 0; byte < filled_; ++byte) *next_++ = buffer_[byte];
    filled_ = 0;
  }

private:
  __device__ void store(std::uint64_t symbol, std::uint32_t length) {
#pragma unroll
    for (std::uint32_t byte = 0; byte < gsst::format::max_symbol_length; ++byte) {
      if (byte < length) buffer_[filled_ + byte] = static_cast<std::uint8_t>(symbol >> (8 * byte));
    }
    filled_ += length;
  }

  std::uint8_t* buffer_;
  std::uint8_t* next_;
  std::uint32_t left_;
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

template <int InputBytes, int OutputBytes>
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
  InputBuffer<InputBytes> input_buffer(thread_buffers, shared_header.codes + begin, end - begin);
  OutputBuffer<OutputBytes> output_buffer(thread_buffers + InputBytes, output, output_bytes);
  return decode_codes(shared_header, input_buffer, output_buffer);
}

// `output` and `status` as in DecodeRequest; status is 0 before. Shared memory: sizeof(SharedHeader) bytes,
// then InputBytes + OutputBytes for each thread of the block. Any grid.
template <int InputBytes, int OutputBytes>
__global__ void decode_splits(FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status) {
  GSST_SHARED_MEMORY(shared);
  SharedHeader& header = *reinterpret_cast<SharedHeader*>(shared);
  std::uint8_t* const thread_buffers =
      shared + sizeof(SharedHeader) + threadIdx.x * (InputBytes + OutputBytes);
  for (std::uint32_t index = blockIdx.x; index < frame.block_count; index += gridDim.x) {
    const BlockOnDevice block = frame.block(index, output);
    if (threadIdx.x == 0 && block.layout != BlockLayout::raw) parse_header(block, frame, header);
    __syncthreads();
    for (std::uint32_t split = threadIdx.x; split < frame.split_count; split += blockDim.x) {
      const BlockStatus result =
          decode_split<InputBytes, OutputBytes>(block, frame, split, header, thread_buffers);
      if (result != BlockStatus::decoded) atomicMax(&status[index], static_cast<std::uint32_t>(result));
    }
    // The next block's header must not overwrite this one while a thread still decodes.
    __syncthreads();
  }
}

}  // namespace
