#pragma once

#include <cstdint>

#include "common/format/gsst/block_header.hpp"
#include "common/format/gsst/symbol_table.hpp"
#include "common/frame/index_entry.hpp"
#include "common/stage/asynchronous_copy.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/gsst/shared/aligned_transfer.cuh"
#include "stages/gsst/shared/output_buffer.cuh"
#include "stages/gsst/shared/shared_header.cuh"

// As stage 04, but each thread copies its next codes asynchronously while it decodes those before
// (thesis 7.2.1).
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

// Reads codes from global memory in pieces, each up to an aligned address, through two slots in shared
// memory: a piece is requested when the one before it starts to be read. A whole piece is copied
// asynchronously. The last one may reach over the split's end, but not over the frame's end.
template <int Alignment>
class InputBuffer {
  static_assert(Alignment <= gsst::format::min_bytes_after_block);

public:
  __device__ InputBuffer(std::uint8_t* slots, const std::uint8_t* codes, std::uint32_t code_bytes)
      : slot_(slots + Alignment),
        other_slot_(slots),
        next_(codes),
        requested_(codes),
        end_(codes + code_bytes) {
    request();
  }

  __device__ bool is_at_end() const { return position_ == filled_ && next_ == end_; }

  // Only if not at the end.
  __device__ std::uint8_t take() {
    if (position_ == filled_) next_piece();
    return slot_[position_++];
  }

private:
  __device__ void next_piece() {
    std::uint8_t* const used_up = slot_;
    slot_ = other_slot_;
    other_slot_ = used_up;
    filled_ = piece_bytes(next_);
    position_ = 0;
    next_ += filled_;
    request();
    cuda::pipeline_consumer_wait_prior<1>(pipeline_);
  }

  // Of the piece that starts at `from`.
  __device__ std::uint32_t piece_bytes(const std::uint8_t* from) const {
    const std::uint32_t to_aligned = bytes_to_aligned<Alignment>(from);
    const std::uint32_t most = to_aligned == 0 ? Alignment : to_aligned;
    const auto left = static_cast<std::uint32_t>(end_ - from);
    return left < most ? left : most;
  }

  // Into the slot that is not being read.
  __device__ void request() {
    const std::uint32_t bytes = piece_bytes(requested_);
    if (bytes_to_aligned<Alignment>(requested_) == 0 && bytes != 0) {
      cuda::memcpy_async(other_slot_, requested_, cuda::aligned_size_t<Alignment>(Alignment), pipeline_);
    } else {
      for (std::uint32_t i = 0; i < bytes; ++i) other_slot_[i] = requested_[i];
    }
    pipeline_.producer_commit();
    requested_ += bytes;
  }

  std::uint8_t* slot_;
  std::uint8_t* other_slot_;
  const std::uint8_t* next_;
  const std::uint8_t* requested_;
  const std::uint8_t* end_;
  std::uint32_t position_ = 0;
  std::uint32_t filled_ = 0;
  cuda::pipeline<cuda::thread_scope_thread> pipeline_ = cuda::make_pipeline();
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

template <int Alignment, int OutputTransfers>
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
  InputBuffer<Alignment> input_buffer(thread_buffers, shared_header.codes + begin, end - begin);
  OutputBuffer<Alignment, OutputTransfers> output_buffer(thread_buffers + 2 * Alignment, output,
                                                         output_bytes);
  return decode_codes(shared_header, input_buffer, output_buffer);
}

// Where the threads' buffers start in shared memory.
template <int Alignment>
constexpr std::uint32_t buffers_offset = (sizeof(SharedHeader) + Alignment - 1) / Alignment* Alignment;

// `output` and `status` as in DecodeRequest; status is 0 before. Shared memory: buffers_offset<Alignment>
// bytes, then Alignment * (2 + OutputTransfers) for each thread of the block. Any grid.
template <int Alignment, int OutputTransfers>
__global__ void decode_splits(FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status) {
  GSST_SHARED_MEMORY(shared);
  SharedHeader& header = *reinterpret_cast<SharedHeader*>(shared);
  std::uint8_t* const thread_buffers =
      shared + buffers_offset<Alignment> + threadIdx.x * Alignment * (2 + OutputTransfers);
  for (std::uint32_t index = blockIdx.x; index < frame.block_count; index += gridDim.x) {
    const BlockOnDevice block = frame.block(index, output);
    if (threadIdx.x == 0 && block.layout != BlockLayout::raw) parse_header(block, frame, header);
    __syncthreads();
    for (std::uint32_t split = threadIdx.x; split < frame.split_count; split += blockDim.x) {
      const BlockStatus result =
          decode_split<Alignment, OutputTransfers>(block, frame, split, header, thread_buffers);
      if (result != BlockStatus::decoded) atomicMax(&status[index], static_cast<std::uint32_t>(result));
    }
    // The next block's header must not overwrite this one while a thread still decodes.
    __syncthreads();
  }
}

}  // namespace
