#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "common/device/look_back.cuh"
#include "common/format/bytes.hpp"
#include "common/format/part_size.hpp"
#include "common/frame/checksum.cuh"
#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "common/frame/frame_fields.hpp"
#include "common/stage/scratch_layout.hpp"
#include "stages/tile_integer/11_gpu_encoder/encode_copy.cuh"
#include "stages/tile_integer/11_gpu_encoder/encode_job.cuh"

// What is around packed blocks or run blocks: the header and the end of payloads (FORMAT.md, section 12.1),
// and the frame's records, index, checksums and trailer (section 6).
namespace gsst::tile_integer::encoder {
namespace {

// What these kernels keep. All pointers are in the executor's memory.
struct FrameParts {
  EncodeJob job;
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

// Four lanes a piece, as if the last block had as many as the others; whole warps.
__global__ void checksum_pieces(FrameParts parts) {
  const std::uint64_t number = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) / checksum_lanes;
  const std::uint64_t block_number = number / parts.pieces_per_block;
  const std::uint64_t offset = number % parts.pieces_per_block * piece_bytes;
  const std::uint8_t* bytes = parts.job.input;
  std::uint64_t size = 0;
  if (block_number < parts.job.block_count) {
    const BlockOfValues block = parts.job.block(static_cast<std::uint32_t>(block_number));
    if (offset < block.bytes) {
      size = block.bytes - offset < piece_bytes ? block.bytes - offset : std::uint64_t{piece_bytes};
      bytes += block.begin + offset;
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
    pieces = format::part_size(parts.job.block(block).bytes, piece_bytes);
  }
  const std::uint64_t checksum =
      checksum_of_four_lanes(reinterpret_cast<const std::uint8_t*>(own), pieces * sizeof(std::uint64_t));
  if (exists && threadIdx.x % checksum_lanes == 0) parts.checksums[block] = checksum;
}

// From the frame's first byte to the end of the last block.
__device__ inline std::uint64_t end_of_blocks(const EncodeJob& job) {
  if (job.block_count == 0) return format::frame_header_bytes;
  const BlockPlace& last = job.places[job.block_count - 1];
  return last.payload_offset + last.payload_bytes;
}

// One thread: the payload's header and what follows its units, or its bytes where it is raw.
__device__ inline void write_payload_ends(const EncodeJob& job, std::uint32_t number,
                                          const BlockPlace& place) {
  using namespace format::tile_integer;
  const BlockOfValues block = job.block(number);
  std::uint8_t* const payload = job.output + place.payload_offset;
  std::uint32_t end = block.bytes;
  if (place.layout != format::BlockLayout::raw) {
    const std::uint64_t words = device::published_sum(job.tile_states[job.end_of_tiles(number) - 1]);
    const std::uint64_t last_start = block.first_start() + words;
    format::store_little_endian<4>(payload + type_offset, static_cast<std::uint32_t>(job.type));
    format::store_little_endian<4>(payload + largest_offset, job.largest[number]);
    format::store_little_endian<4>(payload + value_count_offset, block.values);
    format::store_little_endian<4>(payload + second_reserved_offset, 0);
    format::store_little_endian<4>(payload + header_bytes + std::uint64_t{block.units} * word_bytes,
                                   last_start);
    end = static_cast<std::uint32_t>(last_start) * word_bytes;
    const std::uint8_t* const rest = job.input + block.begin + block.bytes - block.rest_bytes;
    for (std::uint32_t byte = 0; byte < block.rest_bytes; ++byte) payload[end + byte] = rest[byte];
    end += block.rest_bytes;
  }
  for (; end < place.payload_bytes; ++end) payload[end] = 0;
}

// One thread: a block's record, its entry of the index, its status, and what its payload has besides units.
__device__ inline void write_record_of(const FrameParts& parts, std::uint32_t number) {
  const EncodeJob& job = parts.job;
  const BlockPlace place = job.places[number];
  const BlockOfValues block = job.block(number);
  const format::IndexEntry entry = {.payload_offset = place.payload_offset,
                                    .uncompressed_offset = block.begin,
                                    .record = {.layout = place.layout,
                                               .payload_bytes = place.payload_bytes,
                                               .uncompressed_bytes = block.bytes,
                                               .checksum = parts.checksums[number],
                                               .checksum_kind = written_checksum_kind}};
  format::write_record(job.output + entry.payload_offset - format::record_header_bytes,
                       format::RecordKind::block, entry.record);
  format::write_index_entry(job.output + end_of_blocks(job) + format::record_header_bytes +
                                number * std::uint64_t{format::index_entry_bytes},
                            entry);
  write_payload_ends(job, number, place);
  job.status[number] = 0;
}

// Two things at the same time, of which none needs the other: the first `record_thread_blocks` thread blocks
// have a thread a block of the frame for its record, and each of the others has a piece of a block that may
// be raw, `pieces_per_block` each.
__global__ void write_blocks(FrameParts parts, std::uint32_t record_thread_blocks,
                             std::uint32_t pieces_per_block) {
  if (blockIdx.x < record_thread_blocks) {
    const std::uint32_t number = blockIdx.x * blockDim.x + threadIdx.x;
    if (number < parts.job.block_count) write_record_of(parts, number);
    return;
  }
  const std::uint32_t piece = blockIdx.x - record_thread_blocks;
  const std::uint32_t block = piece / pieces_per_block;
  copy_raw_piece(parts.job, block, piece - block * pieces_per_block);
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
  if (threadIdx.x >= lanes_of_warp) return 0;
  return checksum_of_four_lanes(reinterpret_cast<const std::uint8_t*>(parts.index_checksums),
                                pieces * sizeof(std::uint64_t));
}

// The host makes it, with its checksum: it says nothing that kernels find out.
using FrameHeaderBytes = std::array<std::uint8_t, format::frame_header_bytes>;

// One thread block: the frame's header, the rest of the index, and the trailer.
__global__ void write_frame_ends(FrameParts parts, FrameHeaderBytes header) {
  const EncodeJob& job = parts.job;
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
  const std::uint64_t frame_bytes = end + with_record + format::frame_trailer_bytes;
  format::write_trailer(record + with_record, frame_bytes, with_record);
  *job.file_bytes = frame_bytes;
}

// The memory of parts whose job says how the input is cut.
inline void lay_out_frame(stage::ScratchLayout& layout, FrameParts& parts) {
  const EncodeJob& job = parts.job;
  parts.pieces_per_block =
      static_cast<std::uint32_t>(format::part_size(std::min(job.block_bytes, job.input_bytes), piece_bytes));
  parts.piece_checksums = layout.take<std::uint64_t>(std::uint64_t{job.block_count} * parts.pieces_per_block);
  parts.checksums = layout.take<std::uint64_t>(job.block_count);
  parts.index_checksums =
      layout.take<std::uint64_t>(format::part_size(index_bytes(job.block_count), piece_bytes));
}

}  // namespace
}  // namespace gsst::tile_integer::encoder
