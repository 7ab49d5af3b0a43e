#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "common/format/part_size.hpp"
#include "common/frame/checksum.cuh"
#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "common/stage/scratch_layout.hpp"
#include "stages/zero_length/shared/encoded_blocks.cuh"

// What a frame has around its blocks (FORMAT.md, section 6): checksums of their bytes, records, index and
// trailer.
namespace gsst::zero_length::encoder {
namespace {

// What these kernels keep. All pointers are in the executor's memory.
struct FrameParts {
  EncodedBlocks job;
  // Of each piece of a block, pieces_per_block a block.
  std::uint64_t* piece_checksums;
  std::uint32_t pieces_per_block;
  // Of each block.
  std::uint64_t* checksums;
  // Of each piece of the index.
  std::uint64_t* index_checksums;
};

// Threads of a thread block of these kernels.
constexpr unsigned frame_threads = 128;

constexpr auto written_checksum_kind = format::ChecksumKind::xxh64_tree;
constexpr std::uint32_t piece_bytes = format::checksum_piece_bytes;

GSST_HOST_DEVICE inline std::uint64_t index_bytes(std::uint32_t blocks) {
  return std::uint64_t{blocks} * format::index_entry_bytes + format::index_totals_bytes;
}

// Four lanes a piece, as if the last block were as long as the others; whole warps.
__global__ void checksum_pieces(FrameParts parts) {
  const std::uint64_t number = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) / checksum_lanes;
  const std::uint64_t block = number / parts.pieces_per_block;
  const std::uint64_t offset = number % parts.pieces_per_block * piece_bytes;
  const std::uint8_t* bytes = parts.job.input;
  std::uint32_t size = 0;
  if (block < parts.job.block_count) {
    const std::uint32_t of_block = parts.job.bytes_of_block(static_cast<std::uint32_t>(block));
    if (offset < of_block) {
      const auto left = static_cast<std::uint32_t>(of_block - offset);
      size = left < piece_bytes ? left : piece_bytes;
      bytes += parts.job.block_begin(static_cast<std::uint32_t>(block)) + offset;
    }
  }
  const std::uint64_t checksum = checksum_of_four_lanes(bytes, size);
  if (size != 0 && threadIdx.x % checksum_lanes == 0) parts.piece_checksums[number] = checksum;
}

// Four lanes a block; whole warps.
__global__ void checksum_blocks(FrameParts parts) {
  const std::uint32_t block = (blockIdx.x * blockDim.x + threadIdx.x) / checksum_lanes;
  const bool exists = block < parts.job.block_count;
  const std::uint64_t* own = parts.piece_checksums;
  std::uint64_t pieces = 0;
  if (exists) {
    own += std::uint64_t{block} * parts.pieces_per_block;
    pieces = format::part_size(parts.job.bytes_of_block(block), piece_bytes);
  }
  const std::uint64_t checksum =
      checksum_of_four_lanes(reinterpret_cast<const std::uint8_t*>(own), pieces * sizeof(std::uint64_t));
  if (exists && threadIdx.x % checksum_lanes == 0) parts.checksums[block] = checksum;
}

// From the file's first byte to the end of the last block.
__device__ inline std::uint64_t end_of_blocks(const EncodedBlocks& job) {
  if (job.block_count == 0) return format::frame_header_bytes;
  const BlockPlace& last = job.blocks[job.block_count - 1];
  return last.payload_offset + last.payload_bytes;
}

// A thread a block: its record, its entry of the index, and its status.
__global__ void write_records(FrameParts parts) {
  const EncodedBlocks& job = parts.job;
  const std::uint32_t block = blockIdx.x * blockDim.x + threadIdx.x;
  if (block >= job.block_count) return;
  const BlockPlace place = job.blocks[block];
  const format::IndexEntry entry = {.payload_offset = place.payload_offset,
                                    .uncompressed_offset = job.block_begin(block),
                                    .record = {.layout = place.layout,
                                               .payload_bytes = place.payload_bytes,
                                               .uncompressed_bytes = job.bytes_of_block(block),
                                               .checksum = parts.checksums[block],
                                               .checksum_kind = written_checksum_kind}};
  format::write_record(job.output + entry.payload_offset - format::record_header_bytes,
                       format::RecordKind::block, entry.record);
  format::write_index_entry(job.output + end_of_blocks(job) + format::record_header_bytes +
                                block * std::uint64_t{format::index_entry_bytes},
                            entry);
  job.status[block] = 0;
}

// All threads of one thread block: the checksum of `size` bytes of the index, right in the first warp.
__device__ inline std::uint64_t checksum_of_index(const FrameParts& parts, const std::uint8_t* index,
                                                  std::uint64_t size) {
  const std::uint64_t pieces = format::part_size(size, piece_bytes);
  const std::uint32_t groups = blockDim.x / checksum_lanes;
  for (std::uint64_t first = 0; first < pieces; first += groups) {
    const std::uint64_t number = first + threadIdx.x / checksum_lanes;
    const std::uint64_t begin = number < pieces ? number * piece_bytes : size;
    const std::uint64_t left = size - begin;
    const std::uint64_t checksum =
        checksum_of_four_lanes(index + begin, left < piece_bytes ? left : std::uint64_t{piece_bytes});
    if (left != 0 && threadIdx.x % checksum_lanes == 0) parts.index_checksums[number] = checksum;
  }
  __syncthreads();
  if (threadIdx.x >= 32) return 0;
  return checksum_of_four_lanes(reinterpret_cast<const std::uint8_t*>(parts.index_checksums),
                                pieces * sizeof(std::uint64_t));
}

// The host makes it, with its checksum: it says nothing that kernels find out.
using FrameHeaderBytes = std::array<std::uint8_t, format::frame_header_bytes>;

// One thread block: the frame's header, the rest of the index, and the trailer.
__global__ void write_frame_ends(FrameParts parts, FrameHeaderBytes header) {
  const EncodedBlocks& job = parts.job;
  const std::uint64_t size = index_bytes(job.block_count);
  const std::uint64_t end = end_of_blocks(job);
  std::uint8_t* const record = job.output + end;
  std::uint8_t* const index = record + format::record_header_bytes;
  if (threadIdx.x == 0) {
    format::write_index_totals(index + size - format::index_totals_bytes, job.block_count, job.input_bytes);
  }
  for (unsigned byte = threadIdx.x; byte < format::frame_header_bytes; byte += blockDim.x) {
    job.output[byte] = header.data()[byte];
  }
  __syncthreads();
  const std::uint64_t checksum = checksum_of_index(parts, index, size);
  if (threadIdx.x != 0) return;
  format::write_record(record, format::RecordKind::index,
                       {.layout = format::BlockLayout::raw,
                        .payload_bytes = static_cast<std::uint32_t>(size),
                        .uncompressed_bytes = 0,
                        .checksum = checksum,
                        .checksum_kind = written_checksum_kind});
  const std::uint64_t with_record = format::record_header_bytes + size;
  const std::uint64_t file_bytes = end + with_record + format::frame_trailer_bytes;
  format::write_trailer(record + with_record, file_bytes, with_record);
  *job.file_bytes = file_bytes;
}

// The memory of parts whose job says how the input is cut.
inline void lay_out_frame(stage::ScratchLayout& layout, FrameParts& parts) {
  const EncodedBlocks& job = parts.job;
  parts.pieces_per_block =
      static_cast<std::uint32_t>(format::part_size(std::min(job.block_bytes, job.input_bytes), piece_bytes));
  parts.piece_checksums = layout.take<std::uint64_t>(std::uint64_t{job.block_count} * parts.pieces_per_block);
  parts.checksums = layout.take<std::uint64_t>(job.block_count);
  parts.index_checksums =
      layout.take<std::uint64_t>(format::part_size(index_bytes(job.block_count), piece_bytes));
}

// `threads` threads at least, in whole thread blocks. A grid of none is an error in CUDA.
template <typename... Parameters, typename... Arguments>
void enqueue_frame_threads(std::uint64_t threads, stage::Stream stream, void (*kernel)(Parameters...),
                           const Arguments&... arguments) {
  if (threads == 0) return;
  stage::launch({.thread_blocks = static_cast<unsigned>(format::part_size(threads, frame_threads)),
                 .threads_per_block = frame_threads,
                 .shared_bytes = 0,
                 .stream = stream},
                kernel, arguments...);
}

// The checksums of all blocks, which depend on the input alone.
inline void enqueue_checksums_of_blocks(const FrameParts& parts, stage::Stream stream) {
  const std::uint64_t blocks = parts.job.block_count;
  enqueue_frame_threads(blocks * parts.pieces_per_block * checksum_lanes, stream, checksum_pieces, parts);
  enqueue_frame_threads(blocks * checksum_lanes, stream, checksum_blocks, parts);
}

// All of the frame but the payloads, once the blocks have their places and checksums.
inline void enqueue_rest_of_frame(const FrameParts& parts, stage::Stream stream) {
  enqueue_frame_threads(parts.job.block_count, stream, write_records, parts);
  const FrameHeaderBytes header = format::build_frame_header({.format = format::zero_length::frame_format,
                                                              .block_size = parts.job.block_bytes,
                                                              .split_count = 1,
                                                              .checksum_kind = written_checksum_kind});
  enqueue_frame_threads(1, stream, write_frame_ends, parts, header);
}

}  // namespace
}  // namespace gsst::zero_length::encoder
