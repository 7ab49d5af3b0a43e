#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "common/encode_stage/block_sum.cuh"
#include "common/encode_stage/encode_stage.hpp"
#include "common/encode_stage/input_cut.hpp"
#include "common/encode_stage/scratch_layout.hpp"
#include "common/encode_stage/warp_checksum.cuh"
#include "common/format/bytes.hpp"
#include "common/format/frame.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"

// Writes a frame of format splits (FORMAT.md, sections 4 and 6) around the codes that an encoder has made, in
// the executor's memory and without the host: the sizes of all splits decide where each block goes. The
// writing that the host does for the reference codec is common/format's build_block() and build_frame_end();
// the frames are the same.
namespace {

using gsst::format::BlockLayout;
using gsst::stage::EncodedBlock;
using gsst::stage::InputCut;
using gsst::stage::InputPiece;

constexpr unsigned frame_writer_threads = 128;
constexpr std::uint32_t narrow_fixed_bytes = 8;
constexpr std::uint32_t wide_fixed_bytes = 12;
constexpr std::uint32_t most_narrow_splits = 0xff;
constexpr std::uint64_t most_narrow_bytes = 0xffffff;

// Where a block stands in the frame.
struct BlockPlace {
  // From the frame's first byte to the payload.
  std::uint64_t payload_offset;
  std::uint32_t payload_bytes;
  // From the payload's first byte to the first code.
  std::uint32_t codes_offset;
  std::uint32_t code_bytes;
  BlockLayout layout;
};

// A symbol table as FORMAT.md, section 2, stores it.
struct StoredTable {
  std::uint32_t size;
  std::uint8_t bytes[gsst::format::max_symbol_table_bytes];
};

// What an encoder and the writer of its frame share. All pointers are in the executor's memory.
struct FrameParts {
  InputCut cut;
  std::uint32_t blocks_per_table;
  // For each group of blocks_per_table blocks the number of its table.
  std::uint32_t* table_of_group;
  StoredTable* stored_tables;
  // used_splits() of each block: the code bytes of each split, which the encoder sets, and after
  // locate_splits() the split's location.
  std::uint32_t* splits;
  // Of each block.
  std::uint64_t* checksums;
  BlockPlace* places;
  // Behind the last block.
  std::uint64_t* blocks_end;
  std::uint8_t* frame;
  std::uint32_t* status;
  std::uint64_t* frame_bytes;

  __device__ std::uint32_t table_of(std::uint32_t block) const {
    return table_of_group[block / blocks_per_table];
  }
  // The first of the block's values in `splits`.
  __device__ std::uint32_t* splits_of(std::uint32_t block) const {
    return splits + std::uint64_t{block} * cut.used_splits();
  }
};

// The parts of `request`, with their scratch memory from `layout`.
inline FrameParts take_frame_parts(const gsst::stage::EncodeRequest& request,
                                   gsst::stage::ScratchLayout& layout) {
  const gsst::stage::EncodeSettings& settings = request.settings;
  const std::uint32_t blocks = block_count(settings);
  const std::uint32_t tables = table_count(settings);
  FrameParts parts = {.cut = {.input = request.input,
                              .input_bytes = settings.input_bytes,
                              .block_bytes = settings.block_bytes,
                              .block_count = blocks,
                              .split_count = settings.split_count},
                      .blocks_per_table = settings.blocks_per_table,
                      .table_of_group = layout.take<std::uint32_t>(tables),
                      .stored_tables = layout.take<StoredTable>(tables),
                      .splits = nullptr,
                      .checksums = layout.take<std::uint64_t>(blocks),
                      .places = layout.take<BlockPlace>(blocks),
                      .blocks_end = layout.take<std::uint64_t>(1),
                      .frame = request.output,
                      .status = request.status,
                      .frame_bytes = request.frame_bytes};
  parts.splits = layout.take<std::uint32_t>(std::uint64_t{blocks} * parts.cut.used_splits());
  return parts;
}

// Bytes of the largest frame: a block that coding makes larger is stored raw.
inline std::uint64_t largest_frame_bytes(const gsst::stage::EncodeSettings& settings) {
  using namespace gsst::format;
  const std::uint64_t per_block = record_header_bytes + index_entry_bytes;
  return frame_header_bytes + settings.input_bytes + block_count(settings) * per_block + record_header_bytes +
         index_totals_bytes + frame_trailer_bytes;
}

// One warp a block.
__global__ void checksum_blocks(FrameParts parts) {
  const InputPiece block = parts.cut.block(blockIdx.x);
  const std::uint64_t checksum = warp_checksum(block.bytes, block.size);
  if (threadIdx.x == 0) parts.checksums[blockIdx.x] = checksum;
}

// The place of a block of `code_bytes` codes, but for its payload's offset.
__device__ inline BlockPlace size_block(const FrameParts& parts, std::uint32_t block,
                                        std::uint32_t code_bytes) {
  const std::uint32_t uncompressed_bytes = parts.cut.block(block).size;
  const std::uint32_t table_bytes = parts.stored_tables[parts.table_of(block)].size;
  const std::uint32_t split_count = parts.cut.split_count;
  BlockPlace place = {.payload_offset = 0,
                      .payload_bytes = 0,
                      .codes_offset = narrow_fixed_bytes + 3 * split_count + table_bytes,
                      .code_bytes = code_bytes,
                      .layout = BlockLayout::narrow};
  if (split_count > most_narrow_splits ||
      std::uint64_t{place.codes_offset} + code_bytes > most_narrow_bytes) {
    place.codes_offset = wide_fixed_bytes + 4 * split_count + table_bytes;
    place.layout = BlockLayout::wide;
  }
  place.payload_bytes = place.codes_offset + code_bytes;
  if (place.payload_bytes >= uncompressed_bytes) {
    place.payload_bytes = uncompressed_bytes;
    place.layout = BlockLayout::raw;
  }
  return place;
}

// One thread block a block: turns the sizes of its splits into locations.
__global__ void locate_splits(FrameParts parts) {
  GSST_SHARED_MEMORY(shared);
  auto* const warp_sums = reinterpret_cast<std::uint32_t*>(shared);
  std::uint32_t* const splits = parts.splits_of(blockIdx.x);
  const std::uint32_t used_splits = parts.cut.used_splits();
  std::uint32_t code_bytes = 0;
  for (std::uint32_t first = 0; first < used_splits; first += blockDim.x) {
    const std::uint32_t split = first + threadIdx.x;
    const BlockSum<std::uint32_t> sum = sum_of_block(split < used_splits ? splits[split] : 0, warp_sums);
    if (split < used_splits) splits[split] = code_bytes + sum.before;
    code_bytes += sum.total;
  }
  if (threadIdx.x == 0) parts.places[blockIdx.x] = size_block(parts, blockIdx.x, code_bytes);
}

// One thread block: the blocks stand one behind the other, each with its record header.
__global__ void place_blocks(FrameParts parts) {
  GSST_SHARED_MEMORY(shared);
  auto* const warp_sums = reinterpret_cast<std::uint64_t*>(shared);
  std::uint64_t end = gsst::format::frame_header_bytes;
  for (std::uint32_t first = 0; first < parts.cut.block_count; first += blockDim.x) {
    const std::uint32_t block = first + threadIdx.x;
    const bool exists = block < parts.cut.block_count;
    const std::uint64_t bytes =
        exists ? gsst::format::record_header_bytes + std::uint64_t{parts.places[block].payload_bytes} : 0;
    const BlockSum<std::uint64_t> sum = sum_of_block(bytes, warp_sums);
    if (exists) parts.places[block].payload_offset = end + sum.before + gsst::format::record_header_bytes;
    end += sum.total;
  }
  if (threadIdx.x == 0) *parts.blocks_end = end;
}

// A record header (FORMAT.md, section 6).
__device__ inline void write_record(std::uint8_t* to, gsst::format::RecordKind kind, BlockLayout layout,
                                    std::uint32_t payload_bytes, std::uint32_t uncompressed_bytes,
                                    std::uint64_t checksum) {
  gsst::format::store_little_endian<8>(
      to, static_cast<std::uint64_t>(kind) | static_cast<std::uint64_t>(layout) << 8);
  gsst::format::store_little_endian<4>(to + 8, payload_bytes);
  gsst::format::store_little_endian<4>(to + 12, uncompressed_bytes);
  gsst::format::store_little_endian<8>(to + 16, checksum);
}

__device__ inline void write_block_record(const FrameParts& parts, std::uint32_t block, std::uint8_t* to) {
  const BlockPlace& place = parts.places[block];
  write_record(to, gsst::format::RecordKind::block, place.layout, place.payload_bytes,
               parts.cut.block(block).size, parts.checksums[block]);
}

// The block's entry of the index.
__device__ inline void write_index_entry(const FrameParts& parts, std::uint32_t block) {
  std::uint8_t* const entry = parts.frame + *parts.blocks_end + gsst::format::record_header_bytes +
                              block * std::uint64_t{gsst::format::index_entry_bytes};
  gsst::format::store_little_endian<8>(entry, parts.places[block].payload_offset);
  gsst::format::store_little_endian<8>(entry + 8, block * parts.cut.block_bytes);
  write_block_record(parts, block, entry + 16);
}

// The fields of a block before its split locations (FORMAT.md, section 4).
__device__ inline void write_fixed_fields(const FrameParts& parts, std::uint32_t block,
                                          const BlockPlace& place, std::uint8_t* to) {
  const std::uint32_t uncompressed_bytes = parts.cut.block(block).size;
  if (place.layout == BlockLayout::narrow) {
    gsst::format::store_big_endian<3>(to, place.payload_bytes);
    gsst::format::store_little_endian<4>(to + 3, uncompressed_bytes);
    to[7] = static_cast<std::uint8_t>(parts.cut.split_count);
  } else {
    gsst::format::store_little_endian<4>(to, place.payload_bytes);
    gsst::format::store_little_endian<4>(to + 4, uncompressed_bytes);
    gsst::format::store_little_endian<4>(to + 8, parts.cut.split_count);
  }
}

// All threads of a block: split locations and symbol table.
__device__ inline void write_locations_and_table(const FrameParts& parts, std::uint32_t block,
                                                 const BlockPlace& place, std::uint8_t* payload) {
  const bool narrow = place.layout == BlockLayout::narrow;
  const std::uint32_t used_splits = parts.cut.used_splits();
  const std::uint32_t* const locations = parts.splits_of(block);
  std::uint8_t* const fields = payload + (narrow ? narrow_fixed_bytes : wide_fixed_bytes);
  for (std::uint32_t split = threadIdx.x; split < parts.cut.split_count; split += blockDim.x) {
    const std::uint32_t location = split < used_splits ? locations[split] : place.code_bytes;
    if (narrow) {
      gsst::format::store_little_endian<3>(fields + std::size_t{split} * 3, location);
    } else {
      gsst::format::store_little_endian<4>(fields + std::size_t{split} * 4, location);
    }
  }
  const StoredTable& table = parts.stored_tables[parts.table_of(block)];
  std::uint8_t* const stored = payload + place.codes_offset - table.size;
  for (std::uint32_t byte = threadIdx.x; byte < table.size; byte += blockDim.x) {
    stored[byte] = table.bytes[byte];
  }
}

// One thread block a block: everything but the codes, and the bytes of a raw block.
__global__ void write_blocks(FrameParts parts) {
  const std::uint32_t block = blockIdx.x;
  const BlockPlace place = parts.places[block];
  std::uint8_t* const payload = parts.frame + place.payload_offset;
  const bool raw = place.layout == BlockLayout::raw;
  if (threadIdx.x == 0) {
    parts.status[block] = static_cast<std::uint32_t>(raw ? EncodedBlock::raw : EncodedBlock::coded);
    write_block_record(parts, block, payload - gsst::format::record_header_bytes);
    write_index_entry(parts, block);
    if (!raw) write_fixed_fields(parts, block, place, payload);
  }
  if (raw) {
    const InputPiece input = parts.cut.block(block);
    for (std::uint32_t byte = threadIdx.x; byte < input.size; byte += blockDim.x) {
      payload[byte] = input.bytes[byte];
    }
  } else {
    write_locations_and_table(parts, block, place, payload);
  }
}

// What stands in a frame whatever its blocks are.
struct FixedFrameBytes {
  std::array<std::uint8_t, gsst::format::frame_header_bytes> header;
  std::array<std::uint8_t, 8> trailer_magic;
};

// One warp: the frame's header, the ends of the index, and the trailer.
__global__ void finish_frame(FrameParts parts, FixedFrameBytes fixed) {
  using namespace gsst::format;
  const std::uint64_t entries_bytes = parts.cut.block_count * std::uint64_t{index_entry_bytes};
  const std::uint64_t index_bytes = record_header_bytes + entries_bytes + index_totals_bytes;
  std::uint8_t* const record = parts.frame + *parts.blocks_end;
  std::uint8_t* const index = record + record_header_bytes;
  if (threadIdx.x == 0) {
    store_little_endian<8>(index + entries_bytes, parts.cut.block_count);
    store_little_endian<8>(index + entries_bytes + 8, parts.cut.input_bytes);
  }
  __syncwarp();
  const auto payload_bytes = static_cast<std::uint32_t>(entries_bytes + index_totals_bytes);
  const std::uint64_t checksum = warp_checksum(index, payload_bytes);
  if (threadIdx.x != 0) return;
  write_record(record, RecordKind::index, BlockLayout::raw, payload_bytes, 0, checksum);
  std::uint8_t* const trailer = record + index_bytes;
  const std::uint64_t frame_bytes = *parts.blocks_end + index_bytes + frame_trailer_bytes;
  store_little_endian<8>(trailer, frame_bytes);
  store_little_endian<8>(trailer + 8, index_bytes);
  for (unsigned byte = 0; byte < 8; ++byte) trailer[16 + byte] = fixed.trailer_magic[byte];
  for (unsigned byte = 0; byte < frame_header_bytes; ++byte) parts.frame[byte] = fixed.header[byte];
  *parts.frame_bytes = frame_bytes;
}

// Enqueues the blocks' checksums, which need nothing but the input.
inline void enqueue_checksums(const FrameParts& parts, void* stream) {
  // A grid of no blocks is an error in CUDA.
  if (parts.cut.block_count == 0) return;
  gsst::stage::launch(
      {.thread_blocks = parts.cut.block_count, .threads_per_block = 32, .shared_bytes = 0, .stream = stream},
      checksum_blocks, parts);
}

// Enqueues everything of the frame but the codes of its blocks, whose places are known then. The sizes of the
// splits' codes and the checksums are there, and nothing in the output is needed any longer.
inline void enqueue_frame(const FrameParts& parts, void* stream) {
  const auto enqueue = [&](unsigned thread_blocks, auto kernel) {
    gsst::stage::launch({.thread_blocks = thread_blocks,
                         .threads_per_block = frame_writer_threads,
                         .shared_bytes = frame_writer_threads / 32 * sizeof(std::uint64_t),
                         .stream = stream},
                        kernel, parts);
  };
  if (parts.cut.block_count != 0) enqueue(parts.cut.block_count, locate_splits);
  enqueue(1, place_blocks);
  if (parts.cut.block_count != 0) enqueue(parts.cut.block_count, write_blocks);
  const FixedFrameBytes fixed = {
      .header = gsst::format::build_frame_header({.format = gsst::format::BlockFormat::splits,
                                                  .block_size = parts.cut.block_bytes,
                                                  .split_count = parts.cut.split_count}),
      .trailer_magic = gsst::format::trailer_magic};
  gsst::stage::launch({.thread_blocks = 1, .threads_per_block = 32, .shared_bytes = 0, .stream = stream},
                      finish_frame, parts, fixed);
}

}  // namespace
