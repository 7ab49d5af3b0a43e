#pragma once

#include <cstdint>

#include "common/format/gsst/block_header.hpp"
#include "common/format/gsst/symbol_table.hpp"
#include "common/frame/index_entry.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/gsst/shared/aligned_transfer.cuh"
#include "stages/gsst/shared/output_buffer.cuh"
#include "stages/gsst/shared/raw_block.cuh"
#include "stages/gsst/shared/shared_header.cuh"

// The codes of a block's splits are interleaved (FORMAT.md, section 5), so that the threads of a thread block
// read them from one buffer in shared memory, which they fill together (thesis 4.2.3).
namespace {

using gsst::format::BlockHeader;
using gsst::format::BlockLayout;
using gsst::stage::BlockOnDevice;
using gsst::stage::BlockStatus;
using gsst::stage::bytes_to_aligned;
using gsst::stage::copy_raw;
using gsst::stage::FrameOnDevice;
using gsst::stage::OutputBuffer;
using gsst::stage::parse_header;
using gsst::stage::SharedHeader;
using gsst::stage::transfer;

// The buffer in shared memory that all threads of the block read codes from, and fill together: single bytes
// up to the first aligned address, then whole transfers. The last one may reach over the end of the codes,
// but not over the frame's end.
template <int Alignment>
class SharedInputBuffer {
  static_assert(Alignment <= gsst::format::min_bytes_after_block);

public:
  // `buffer` is aligned to Alignment.
  __device__ explicit SharedInputBuffer(std::uint8_t* buffer) : buffer_(buffer) {}

  // Called by all threads of the block: replaces what is in the buffer by `count` codes.
  __device__ void fill(const std::uint8_t* codes, std::uint32_t count) {
    // Codes lie in the buffer as in global memory modulo Alignment, so that both ends of a transfer are
    // aligned.
    first_ = buffer_ + reinterpret_cast<std::uintptr_t>(codes) % Alignment;
    const std::uint32_t to_aligned = bytes_to_aligned<Alignment>(codes);
    const std::uint32_t unaligned = to_aligned < count ? to_aligned : count;
    // The last thread may still read the codes that this overwrites.
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < unaligned; i += blockDim.x) first_[i] = codes[i];
    for (std::uint32_t i = unaligned + threadIdx.x * Alignment; i < count; i += blockDim.x * Alignment) {
      transfer<Alignment>(first_ + i, codes + i);
    }
    __syncthreads();
  }

  __device__ std::uint8_t code(std::uint32_t index) const { return first_[index]; }

private:
  std::uint8_t* buffer_;
  std::uint8_t* first_ = nullptr;
};

// Decodes one split, code by code: in between, all threads of the block fill the input buffer.
template <typename Output>
class SplitDecoder {
public:
  __device__ SplitDecoder(const SharedHeader& header, const Output& output, bool starts_escaped)
      : header_(header), output_(output), escaped_(starts_escaped) {}

  // After the first problem nothing more is decoded, but the thread goes on to meet the others at the
  // barriers.
  __device__ void decode(std::uint8_t code) {
    if (status_ != BlockStatus::decoded) return;
    std::uint64_t symbol = code;
    std::uint32_t length = 1;
    if (escaped_) {
      escaped_ = false;
    } else if (code == gsst::format::escape_code) {
      escaped_ = true;
      return;
    } else {
      symbol = header_.symbols[code];
      length = header_.lengths[code];
    }
    if (length == 0) {
      status_ = BlockStatus::code_without_symbol;
    } else if (length > output_.left()) {
      status_ = BlockStatus::output_too_long;
    } else {
      output_.put(symbol, length);
    }
  }

  // After the split's last code. An escape there belongs to the first code of the next split (FORMAT.md,
  // section 5).
  __device__ BlockStatus finish(bool next_starts_escaped) {
    if (status_ != BlockStatus::decoded) return status_;
    output_.flush();
    if (escaped_ != next_starts_escaped) {
      return escaped_ ? BlockStatus::escape_at_end : BlockStatus::escape_missing;
    }
    return output_.left() == 0 ? BlockStatus::decoded : BlockStatus::output_too_short;
  }

private:
  const SharedHeader& header_;
  Output output_;
  bool escaped_;
  BlockStatus status_ = BlockStatus::decoded;
};

// Decodes the splits from `first` on, one a thread. Called by all threads of the block; returns the status of
// the thread's own split.
template <int Alignment, int InputTransfers, int OutputTransfers>
__device__ BlockStatus decode_split_group(const BlockOnDevice& block, const FrameOnDevice& frame,
                                          std::uint32_t first, const SharedHeader& shared_header,
                                          std::uint8_t* buffers) {
  const BlockHeader header(block.payload, frame.format, block.layout);
  const std::uint32_t split_count = frame.split_count;
  const std::uint32_t split = first + threadIdx.x;
  const bool has_split = split < split_count;
  const std::uint32_t start = has_split ? header.split_location(split) : 0;
  const std::uint32_t next = split + 1;
  const std::uint32_t end = next < split_count ? header.split_location(next) : block.uncompressed_bytes;
  std::uint8_t* const output_buffer = buffers + threadIdx.x * Alignment * OutputTransfers;
  using Output = OutputBuffer<Alignment, OutputTransfers>;
  SplitDecoder<Output> decoder(shared_header, Output(output_buffer, block.output + start, end - start),
                               has_split && header.starts_escaped(split));
  SharedInputBuffer<Alignment> input(buffers + blockDim.x * Alignment * OutputTransfers);
  // A row holds one code of each split. Rows are whole in the buffer where there is a thread for each split;
  // else it holds the part of one row that belongs to this group.
  const bool whole_rows = split_count <= blockDim.x;
  const std::uint32_t row_codes = whole_rows ? split_count : blockDim.x;
  const std::uint32_t rows_per_fill = whole_rows ? blockDim.x * Alignment * InputTransfers / split_count : 1;
  for (std::uint32_t row = 0; row * std::uint64_t{split_count} + first < shared_header.code_bytes;
       row += rows_per_fill) {
    const std::uint32_t begin = row * split_count + first;
    const std::uint32_t left = shared_header.code_bytes - begin;
    const std::uint32_t wanted = rows_per_fill * row_codes;
    const std::uint32_t count = left < wanted ? left : wanted;
    input.fill(shared_header.codes + begin, count);
    if (!has_split) continue;
    for (std::uint32_t index = threadIdx.x; index < count; index += row_codes) {
      decoder.decode(input.code(index));
    }
  }
  return has_split ? decoder.finish(next < split_count && header.starts_escaped(next)) : BlockStatus::decoded;
}

// Where the threads' buffers start in shared memory.
template <int Alignment>
constexpr std::uint32_t buffers_offset = (sizeof(SharedHeader) + Alignment - 1) / Alignment* Alignment;

// `output` and `status` as in DecodeRequest; status is 0 before. Shared memory: buffers_offset<Alignment>
// bytes, then Alignment * (OutputTransfers + InputTransfers) for each thread of the block, then Alignment.
// Any grid.
template <int Alignment, int InputTransfers, int OutputTransfers>
__global__ void decode_coalesced(FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status) {
  GSST_SHARED_MEMORY(shared);
  SharedHeader& header = *reinterpret_cast<SharedHeader*>(shared);
  for (std::uint32_t index = blockIdx.x; index < frame.block_count; index += gridDim.x) {
    const BlockOnDevice block = frame.block(index, output);
    if (block.layout == BlockLayout::raw) {
      copy_raw(block);
      continue;
    }
    if (threadIdx.x == 0) parse_header(block, frame, header);
    __syncthreads();
    for (std::uint32_t first = 0; first < frame.split_count; first += blockDim.x) {
      const BlockStatus result = decode_split_group<Alignment, InputTransfers, OutputTransfers>(
          block, frame, first, header, shared + buffers_offset<Alignment>);
      if (result != BlockStatus::decoded) atomicMax(&status[index], static_cast<std::uint32_t>(result));
    }
    // The next block's header must not overwrite this one while a thread still decodes.
    __syncthreads();
  }
}

}  // namespace
