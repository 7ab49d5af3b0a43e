#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/format/gsst/block_header_writer.hpp"
#include "common/frame/checksum.cuh"
#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "common/frame/frame_fields.hpp"
#include "common/stage/copies.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/scratch_layout.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/gsst/encode/encode_plan.hpp"
#include "stages/gsst/shared/block_sum.cuh"
#include "stages/gsst/shared/input_cut.hpp"

// Writes a frame of format splits (FORMAT.md, sections 4 and 6) around the codes that an encoder has made, in
// the executor's memory and without the host: the sizes of all splits decide where each block goes. The
// writing that the host does for the reference codec is common/format's build_block() and build_frame_end();
// the frames are the same.
namespace {

using gsst::format::BlockLayout;
using gsst::stage::EncodedBlock;
using gsst::stage::InputCut;
using gsst::stage::InputPiece;

// A thread block goes through the splits of a block, or through all blocks, in rounds of so many. The CPU
// executor runs one thread after the other.
constexpr unsigned frame_writer_threads =
    gsst::stage::this_executor == gsst::stage::Executor::gpu ? 512 : 128;
constexpr gsst::format::BlockFormat written_format = gsst::format::BlockFormat::splits;
constexpr auto written_checksum_kind = gsst::format::ChecksumKind::xxh64_tree;
constexpr std::size_t checksum_piece_bytes = gsst::format::checksum_piece_bytes;

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
  // Of each piece of a block, pieces_per_block() of them a block.
  std::uint64_t* piece_checksums;
  // Of each block.
  std::uint64_t* checksums;
  // Of each piece of the index.
  std::uint64_t* index_checksums;
  BlockPlace* places;
  // Behind the last block.
  std::uint64_t* blocks_end;
  std::uint8_t* frame;
  std::uint32_t* status;
  std::uint64_t* frame_bytes;

  // Pieces of a block's checksum; the last block may have fewer.
  GSST_HOST_DEVICE std::uint32_t pieces_per_block() const {
    return static_cast<std::uint32_t>(gsst::format::part_size(cut.block_bytes, checksum_piece_bytes));
  }

  __device__ std::uint32_t table_of(std::uint32_t block) const {
    return table_of_group[block / blocks_per_table];
  }
  // The first of the block's values in `splits`.
  __device__ std::uint32_t* splits_of(std::uint32_t block) const {
    return splits + std::uint64_t{block} * cut.used_splits();
  }
};

// Bytes of the index behind its record header.
GSST_HOST_DEVICE inline std::uint64_t index_payload_bytes(std::uint32_t blocks) {
  return std::uint64_t{blocks} * gsst::format::index_entry_bytes + gsst::format::index_totals_bytes;
}

// The parts of `request`, with their scratch memory from `layout`.
inline FrameParts take_frame_parts(const gsst::stage::EncodeRequest& request,
                                   gsst::stage::ScratchLayout& layout) {
  const gsst::stage::EncodeSettings& settings = request.settings;
  const std::uint32_t blocks = block_count(settings);
  const std::uint32_t tables = table_count(settings);
  FrameParts parts = {.cut = {.input = request.input,
                              .input_bytes = settings.input_bytes,
                              .block_bytes = longest_block_bytes(settings),
                              .block_count = blocks,
                              .split_count = settings.split_count},
                      .blocks_per_table = settings.blocks_per_table,
                      .table_of_group = layout.take<std::uint32_t>(tables),
                      .stored_tables = layout.take<StoredTable>(tables),
                      .splits = nullptr,
                      .piece_checksums = nullptr,
                      .checksums = layout.take<std::uint64_t>(blocks),
                      .index_checksums = layout.take<std::uint64_t>(
                          gsst::format::part_size(index_payload_bytes(blocks), checksum_piece_bytes)),
                      .places = layout.take<BlockPlace>(blocks),
                      .blocks_end = layout.take<std::uint64_t>(1),
                      .frame = request.output,
                      .status = request.status,
                      .frame_bytes = request.frame_bytes};
  parts.piece_checksums = layout.take<std::uint64_t>(std::uint64_t{blocks} * parts.pieces_per_block());
  parts.splits = layout.take<std::uint32_t>(std::uint64_t{blocks} * parts.cut.used_splits());
  return parts;
}

// The symbol table of each group of blocks, on the host. Waits for the stream.
inline std::vector<gsst::format::SymbolTable> tables_of(const FrameParts& parts, std::uint32_t table_count,
                                                        void* stream) {
  std::vector<std::uint32_t> table_of_group(table_count);
  gsst::stage::copy_to_host(std::span(table_of_group), parts.table_of_group, stream);
  std::vector<gsst::format::SymbolTable> tables;
  for (const std::uint32_t table : table_of_group) {
    StoredTable stored;
    gsst::stage::copy_to_host(std::span(&stored, 1), parts.stored_tables + table, stream);
    tables.push_back(
        gsst::format::parse_symbol_table(std::span(stored.bytes, stored.size), std::nullopt).table);
  }
  return tables;
}

// Bytes of the largest frame: a block that coding makes larger is stored raw.
inline std::uint64_t largest_frame_bytes(const gsst::stage::EncodeSettings& settings) {
  using namespace gsst::format;
  const std::uint64_t per_block = record_header_bytes + index_entry_bytes;
  return frame_header_bytes + settings.input_bytes + block_count(settings) * per_block + record_header_bytes +
         index_totals_bytes + frame_trailer_bytes;
}

// The piece of `whole` with that number; nothing behind its end.
__device__ inline InputPiece checksum_piece(const InputPiece& whole, std::uint32_t piece) {
  const std::uint64_t begin = std::uint64_t{piece} * checksum_piece_bytes;
  if (begin >= whole.size) return {.bytes = whole.bytes, .size = 0};
  const auto left = static_cast<std::uint32_t>(whole.size - begin);
  return {.bytes = whole.bytes + begin,
          .size = left < checksum_piece_bytes ? left : static_cast<std::uint32_t>(checksum_piece_bytes)};
}

// Pieces of all blocks, as if the last one had as many as the others.
GSST_HOST_DEVICE inline std::uint64_t all_checksum_pieces(const FrameParts& parts) {
  return std::uint64_t{parts.cut.block_count} * parts.pieces_per_block();
}

// Pieces that a warp takes at a time.
constexpr unsigned pieces_of_warp = 32 / checksum_lanes;

// The piece of all blocks that is the lane's, where those from `first` on are a warp's; nothing from `end`
// on.
__device__ inline InputPiece checksum_piece_of_lane(const FrameParts& parts, std::uint64_t first,
                                                    std::uint64_t end) {
  const std::uint32_t pieces = parts.pieces_per_block();
  const std::uint64_t number = first + threadIdx.x % 32 / checksum_lanes;
  if (number >= end) return {.bytes = parts.cut.input, .size = 0};
  return checksum_piece(parts.cut.block(static_cast<std::uint32_t>(number / pieces)),
                        static_cast<std::uint32_t>(number % pieces));
}

// All lanes of a warp: the checksums of pieces `first` to `first` + pieces_of_warp - 1 of all blocks, but not
// of `end` and behind.
template <unsigned Loads = most_checksum_loads>
__device__ void checksum_pieces_of_warp(const FrameParts& parts, std::uint64_t first, std::uint64_t end) {
  const InputPiece piece = checksum_piece_of_lane(parts, first, end);
  const std::uint64_t checksum = checksum_of_four_lanes<Loads>(piece.bytes, piece.size);
  if (piece.size != 0 && threadIdx.x % checksum_lanes == 0) {
    parts.piece_checksums[first + threadIdx.x % 32 / checksum_lanes] = checksum;
  }
}

// A warp takes pieces_of_warp pieces. Whole warps.
__global__ void checksum_pieces(FrameParts parts) {
  const std::uint64_t warp = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
  checksum_pieces_of_warp(parts, warp * pieces_of_warp, all_checksum_pieces(parts));
}

// Four lanes a block; whole warps. The checksums of the pieces are there.
__global__ void checksum_blocks(FrameParts parts) {
  const std::uint32_t number = (blockIdx.x * blockDim.x + threadIdx.x) / checksum_lanes;
  const bool exists = number < parts.cut.block_count;
  const std::uint64_t* own = parts.piece_checksums;
  std::uint64_t pieces = 0;
  if (exists) {
    own += std::uint64_t{number} * parts.pieces_per_block();
    pieces = gsst::format::part_size(parts.cut.block(number).size, checksum_piece_bytes);
  }
  const std::uint64_t checksum =
      checksum_of_four_lanes(reinterpret_cast<const std::uint8_t*>(own), pieces * sizeof(std::uint64_t));
  if (exists && threadIdx.x % checksum_lanes == 0) parts.checksums[number] = checksum;
}

// The place of a block of `code_bytes` codes, but for its payload's offset.
__device__ inline BlockPlace size_block(const FrameParts& parts, std::uint32_t block,
                                        std::uint32_t code_bytes) {
  const std::uint32_t uncompressed_bytes = parts.cut.block(block).size;
  const std::uint32_t table_bytes = parts.stored_tables[parts.table_of(block)].size;
  const std::uint32_t split_count = parts.cut.split_count;
  const auto header_bytes = [&](BlockLayout layout) {
    return gsst::format::block_header_bytes(written_format, layout, split_count);
  };
  BlockPlace place = {.payload_offset = 0,
                      .payload_bytes = 0,
                      .codes_offset = header_bytes(BlockLayout::narrow) + table_bytes,
                      .code_bytes = code_bytes,
                      .layout = BlockLayout::narrow};
  if (!gsst::format::fits_narrow(std::uint64_t{place.codes_offset} + code_bytes, split_count)) {
    place.codes_offset = header_bytes(BlockLayout::wide) + table_bytes;
    place.layout = BlockLayout::wide;
  }
  place.payload_bytes = place.codes_offset + code_bytes;
  if (place.payload_bytes >= uncompressed_bytes) {
    place.payload_bytes = uncompressed_bytes;
    place.layout = BlockLayout::raw;
  }
  return place;
}

// All threads of the thread block for block blockIdx.x: turns the sizes of its splits into locations, and
// returns their sum. A thread takes several splits at a time, so that a round, which is mostly waiting, does
// for thousands of them.
__device__ inline std::uint32_t locate_splits_of_block(const FrameParts& parts, std::uint32_t* warp_sums) {
  constexpr unsigned splits_of_thread = 8;
  std::uint32_t* const splits = parts.splits_of(blockIdx.x);
  const std::uint32_t used_splits = parts.cut.used_splits();
  std::uint32_t code_bytes = 0;
  for (std::uint32_t first = 0; first < used_splits; first += blockDim.x * splits_of_thread) {
    const std::uint32_t own = first + threadIdx.x * splits_of_thread;
    std::uint32_t sizes[splits_of_thread];
    std::uint32_t own_bytes = 0;
#pragma unroll
    for (unsigned i = 0; i < splits_of_thread; ++i) {
      sizes[i] = own + i < used_splits ? splits[own + i] : 0;
      own_bytes += sizes[i];
    }
    const BlockSum<std::uint32_t> sum = sum_of_block(own_bytes, warp_sums);
    std::uint32_t location = code_bytes + sum.before;
#pragma unroll
    for (unsigned i = 0; i < splits_of_thread; ++i) {
      if (own + i < used_splits) splits[own + i] = location;
      location += sizes[i];
    }
    code_bytes += sum.total;
  }
  return code_bytes;
}

// One thread block a block.
__global__ void locate_splits(FrameParts parts) {
  GSST_SHARED_MEMORY(shared);
  auto* const warp_sums = reinterpret_cast<std::uint32_t*>(shared);
  const std::uint32_t code_bytes = locate_splits_of_block(parts, warp_sums);
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

__device__ inline gsst::format::BlockRecord record_of(const FrameParts& parts, std::uint32_t block) {
  const BlockPlace& place = parts.places[block];
  return {.layout = place.layout,
          .payload_bytes = place.payload_bytes,
          .uncompressed_bytes = parts.cut.block(block).size,
          .checksum = parts.checksums[block]};
}

// The block's record and its entry of the index.
__device__ inline void write_record_and_entry(const FrameParts& parts, std::uint32_t block) {
  using namespace gsst::format;
  const IndexEntry entry = {.payload_offset = parts.places[block].payload_offset,
                            .uncompressed_offset = block * parts.cut.block_bytes,
                            .record = record_of(parts, block)};
  write_record(parts.frame + entry.payload_offset - record_header_bytes, RecordKind::block, entry.record);
  write_index_entry(
      parts.frame + *parts.blocks_end + record_header_bytes + block * std::uint64_t{index_entry_bytes},
      entry);
}

// All threads of a block: split locations and symbol table.
__device__ inline void write_locations_and_table(const FrameParts& parts, std::uint32_t block,
                                                 const BlockPlace& place, std::uint8_t* payload) {
  const gsst::format::BlockHeaderWriter header(payload, written_format, place.layout);
  const std::uint32_t used_splits = parts.cut.used_splits();
  const std::uint32_t* const locations = parts.splits_of(block);
  for (std::uint32_t split = threadIdx.x; split < parts.cut.split_count; split += blockDim.x) {
    header.write_split_location(split, split < used_splits ? locations[split] : place.code_bytes);
  }
  const StoredTable& table = parts.stored_tables[parts.table_of(block)];
  std::uint8_t* const stored = payload + place.codes_offset - table.size;
  for (std::uint32_t byte = threadIdx.x; byte < table.size; byte += blockDim.x) {
    stored[byte] = table.bytes[byte];
  }
}

// All threads of a block; zeros where the payload is longer than the block.
__device__ inline void copy_raw_block(const FrameParts& parts, std::uint32_t block, std::uint8_t* payload) {
  const InputPiece input = parts.cut.block(block);
  for (std::uint32_t byte = threadIdx.x; byte < parts.places[block].payload_bytes; byte += blockDim.x) {
    payload[byte] = byte < input.size ? input.bytes[byte] : 0;
  }
}

// All threads of a block: what blocks of every format have, and the bytes of a raw block. Returns the payload
// of a block that is not raw, else nullptr.
__device__ inline std::uint8_t* write_record_or_raw_block(const FrameParts& parts, std::uint32_t block) {
  const BlockPlace& place = parts.places[block];
  std::uint8_t* const payload = parts.frame + place.payload_offset;
  const bool raw = place.layout == BlockLayout::raw;
  if (threadIdx.x == 0) {
    parts.status[block] = static_cast<std::uint32_t>(raw ? EncodedBlock::raw : EncodedBlock::coded);
    write_record_and_entry(parts, block);
  }
  if (!raw) return payload;
  copy_raw_block(parts, block, payload);
  return nullptr;
}

// One thread block a block: everything but the codes, and the bytes of a raw block.
__global__ void write_blocks(FrameParts parts) {
  const std::uint32_t block = blockIdx.x;
  std::uint8_t* const payload = write_record_or_raw_block(parts, block);
  if (payload == nullptr) return;
  const BlockPlace place = parts.places[block];
  if (threadIdx.x == 0) {
    gsst::format::BlockHeaderWriter(payload, written_format, place.layout)
        .write_fixed_fields(place.payload_bytes, parts.cut.block(block).size, parts.cut.split_count);
  }
  write_locations_and_table(parts, block, place, payload);
}

// The host makes it, checksum included: it says nothing that the kernels find out.
using FrameHeaderBytes = std::array<std::uint8_t, gsst::format::frame_header_bytes>;

// All threads of a block: the checksum of the index in the first warp.
__device__ inline std::uint64_t checksum_index(const FrameParts& parts, const InputPiece& index) {
  const auto pieces = static_cast<std::uint32_t>(gsst::format::part_size(index.size, checksum_piece_bytes));
  const std::uint32_t groups = blockDim.x / checksum_lanes;
  for (std::uint32_t first = 0; first < pieces; first += groups) {
    const std::uint32_t number = first + threadIdx.x / checksum_lanes;
    const InputPiece piece = checksum_piece(index, number);
    const std::uint64_t checksum = checksum_of_four_lanes(piece.bytes, piece.size);
    if (piece.size != 0 && threadIdx.x % checksum_lanes == 0) parts.index_checksums[number] = checksum;
  }
  __syncthreads();
  if (threadIdx.x >= 32) return 0;
  return checksum_of_four_lanes(reinterpret_cast<const std::uint8_t*>(parts.index_checksums),
                                pieces * sizeof(std::uint64_t));
}

// One thread block: the frame's header, the ends of the index, and the trailer.
__global__ void finish_frame(FrameParts parts, FrameHeaderBytes header) {
  using namespace gsst::format;
  const std::uint64_t payload_bytes = index_payload_bytes(parts.cut.block_count);
  std::uint8_t* const record = parts.frame + *parts.blocks_end;
  std::uint8_t* const index = record + record_header_bytes;
  if (threadIdx.x == 0) {
    write_index_totals(index + payload_bytes - index_totals_bytes, parts.cut.block_count,
                       parts.cut.input_bytes);
  }
  __syncthreads();
  const std::uint64_t checksum =
      checksum_index(parts, {.bytes = index, .size = static_cast<std::uint32_t>(payload_bytes)});
  if (threadIdx.x != 0) return;
  write_record(record, RecordKind::index,
               {.layout = BlockLayout::raw,
                .payload_bytes = static_cast<std::uint32_t>(payload_bytes),
                .uncompressed_bytes = 0,
                .checksum = checksum});
  const std::uint64_t index_bytes = record_header_bytes + payload_bytes;
  const std::uint64_t frame_bytes = *parts.blocks_end + index_bytes + frame_trailer_bytes;
  write_trailer(record + index_bytes, frame_bytes, index_bytes);
  for (unsigned byte = 0; byte < frame_header_bytes; ++byte) parts.frame[byte] = header[byte];
  *parts.frame_bytes = frame_bytes;
}

constexpr unsigned checksum_writer_threads = 128;

// Enqueues the checksums of the blocks. Those of their pieces are there.
inline void enqueue_block_checksums(const FrameParts& parts, void* stream) {
  // A grid of no blocks is an error in CUDA.
  if (parts.cut.block_count == 0) return;
  gsst::stage::launch({.thread_blocks = static_cast<unsigned>(gsst::format::part_size(
                           std::uint64_t{parts.cut.block_count} * checksum_lanes, checksum_writer_threads)),
                       .threads_per_block = checksum_writer_threads,
                       .shared_bytes = 0,
                       .stream = stream},
                      checksum_blocks, parts);
}

// Enqueues the checksums of the blocks and of their pieces, which need nothing but the input.
inline void enqueue_checksums(const FrameParts& parts, void* stream) {
  if (parts.cut.block_count == 0) return;
  gsst::stage::launch({.thread_blocks = static_cast<unsigned>(gsst::format::part_size(
                           all_checksum_pieces(parts) * checksum_lanes, checksum_writer_threads)),
                       .threads_per_block = checksum_writer_threads,
                       .shared_bytes = 0,
                       .stream = stream},
                      checksum_pieces, parts);
  enqueue_block_checksums(parts, stream);
}

// Enqueues a kernel of the frame's writer, with shared memory for a value of 8 bytes a warp.
template <typename... Parameters, typename... Arguments>
void enqueue_frame_kernel(unsigned thread_blocks, void* stream, void (*kernel)(Parameters...),
                          const Arguments&... arguments) {
  gsst::stage::launch({.thread_blocks = thread_blocks,
                       .threads_per_block = frame_writer_threads,
                       .shared_bytes = frame_writer_threads / 32 * sizeof(std::uint64_t),
                       .stream = stream},
                      kernel, arguments...);
}

// Enqueues the ends of a frame whose blocks are written: its header, index and trailer.
inline void enqueue_frame_ends(const FrameParts& parts, gsst::format::BlockFormat block_format,
                               const gsst::stage::EncodeSettings& settings, void* stream) {
  const FrameHeaderBytes header = gsst::format::build_frame_header({.format = block_format,
                                                                    .block_size = settings.block_bytes,
                                                                    .split_count = settings.split_count,
                                                                    .checksum_kind = written_checksum_kind});
  // As many pieces of the index at a time as four lanes each give.
  constexpr unsigned finishing_threads = 512;
  gsst::stage::launch(
      {.thread_blocks = 1, .threads_per_block = finishing_threads, .shared_bytes = 0, .stream = stream},
      finish_frame, parts, header);
}

// Enqueues the places of the blocks of `last`, the last ones of `parts`, where those before have theirs. The
// sizes of the splits' codes are there, and nothing in the output is needed any longer.
inline void enqueue_places(const FrameParts& parts, const FrameParts& last, void* stream) {
  if (last.cut.block_count != 0) enqueue_frame_kernel(last.cut.block_count, stream, locate_splits, last);
  enqueue_frame_kernel(1, stream, place_blocks, parts);
}

// Enqueues everything of the frame but the codes of its blocks, whose places and checksums are there.
inline void enqueue_frame_around_codes(const FrameParts& parts, const gsst::stage::EncodeSettings& settings,
                                       void* stream) {
  if (parts.cut.block_count != 0) enqueue_frame_kernel(parts.cut.block_count, stream, write_blocks, parts);
  enqueue_frame_ends(parts, written_format, settings, stream);
}

// Enqueues both.
inline void enqueue_frame(const FrameParts& parts, const gsst::stage::EncodeSettings& settings,
                          void* stream) {
  enqueue_places(parts, parts, stream);
  enqueue_frame_around_codes(parts, settings, stream);
}

}  // namespace
