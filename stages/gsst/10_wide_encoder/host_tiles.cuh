#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "common/stage/copies.hpp"
#include "reference_cpu/level.hpp"
#include "reference_cpu/parallel.hpp"
#include "reference_cpu/train_tiles.hpp"
#include "stages/gsst/10_wide_encoder/host_encoding.cuh"
#include "stages/gsst/10_wide_encoder/tile_frame.cuh"
#include "stages/gsst/10_wide_encoder/tile_lookup.cuh"
#include "stages/gsst/10_wide_encoder/tile_strips.cuh"
#include "stages/gsst/10_wide_encoder/tile_training.cuh"
#include "stages/gsst/shared/gather.cuh"

// The host side of format tiles.
namespace tiles {
namespace {

// Warps of a thread block at most: with more a thread has too few registers. A warp takes 128 KiB at a time,
// so with fewer the last of them leave more of the GPU idle (H200, 1.3 GB, 8-bit codes: 2.88 ms with 20, 3.19
// with 16, 3.93 with 12).
constexpr unsigned most_tile_warps = 20;

// What the phases of one encoding share.
struct Encoding {
  EncodeJob job;
  TileJob tiles;
  // Where tables are trained on the executor.
  training::Scratch* training_scratch;
  training::WeighedTable* weighed;
  std::uint32_t row_bytes;
  gsst::stage::EncodeSpace space;
};

// The tables of 12-bit codes stay in global memory where shared memory has no room for them and so many warps
// with short rows.
constexpr std::size_t warps_beside_wide_tables = 4;

// Calls use.operator()<Lookup>() with what the codes are found by.
template <typename Use>
void with_lookup_of(const EncodeSettings& settings, Use use) {
  constexpr std::size_t wide_bytes =
      sizeof(TileTables<12>) + warps_beside_wide_tables * TransposedRows<short_row_bytes>::shared_bytes;
  const std::uint32_t code_bits = settings.tiles->code_bits;
  if (code_bits == 8) return use.template operator()<TileLookup<8>>();
  if (code_bits == 10) return use.template operator()<TileLookup<10>>();
  if (shared_room(settings) >= wide_bytes) return use.template operator()<TileLookup<12>>();
  use.template operator()<TileLookup<12, false>>();
}

inline std::size_t table_bytes_of(const EncodeSettings& settings) {
  std::size_t bytes = 0;
  with_lookup_of(settings, [&]<typename Lookup>() { bytes = sizeof(typename Lookup::Tables); });
  return bytes;
}

// Short rows where long ones leave room for few warps, and where the cache needs it for the tables.
inline std::uint32_t row_bytes_of(const EncodeSettings& settings) {
  bool is_short = false;
  with_lookup_of(settings, [&]<typename Lookup>() {
    is_short = Lookup::shared_bytes == 0 || has_short_rows(Lookup::shared_bytes, shared_room(settings));
  });
  return is_short ? short_row_bytes : long_row_bytes;
}

// As the kernels see it that know no tiles: segments are splits, and all blocks share a table.
inline EncodeRequest in_segments(EncodeRequest request) {
  EncodeSettings& settings = request.settings;
  settings.split_count =
      static_cast<std::uint32_t>(gsst::format::part_size(longest_block_bytes(settings), segment_bytes));
  settings.blocks_per_table = std::max(block_count(settings), 1u);
  return request;
}

// Bytes of the largest frame. A block is stored raw that coding makes larger, but for the table that it
// holds for others.
inline std::uint64_t largest_frame_bytes(const EncodeSettings& settings) {
  const std::uint64_t blocks = block_count(settings);
  const std::uint64_t tables = gsst::format::part_size(blocks, gsst::format::max_dictionary_id + 1);
  const std::uint64_t table_bytes =
      std::uint64_t{settings.tiles->code_count()} * gsst::format::max_symbol_length;
  return ::largest_frame_bytes(settings) + blocks * gsst::format::padded_tiles_payload_bytes(0) +
         blocks * gsst::format::tiles_alignment + tables * table_bytes;
}

// Most bytes that the codes of a block take before they stand in tiles: of more, the block is stored raw. The
// reads of the last ones reach behind them.
inline std::uint64_t most_code_bytes(const EncodeSettings& settings, std::uint32_t code_bytes) {
  constexpr std::uint64_t reach = 64;
  const std::uint64_t bytes = gsst::format::padded_tiles_payload_bytes(longest_block_bytes(settings));
  const std::uint64_t wanted = bytes * 8 * code_bytes / settings.tiles->code_bits + reach;
  return gsst::format::part_size(wanted, gsst::stage::encode_alignment) * gsst::stage::encode_alignment;
}

// Wide codes are trained on the host.
inline bool trains_on_executor(const EncodeSettings& settings) {
  return settings.tiles->code_bits == 8 && can_train_on_executor(settings);
}

inline Encoding make_encoding(const EncodeRequest& request) {
  const EncodeRequest segments = in_segments(request);
  const EncodeSettings& settings = request.settings;
  gsst::stage::ScratchLayout layout(request.scratch);
  Encoding encoding{};
  encoding.row_bytes = row_bytes_of(settings);
  encoding.job = take_encode_job(segments, layout, encoding.row_bytes, table_bytes_of(settings));
  const std::uint64_t blocks = block_count(settings);
  TileJob& tiles = encoding.tiles;
  tiles.parts = encoding.job.parts;
  tiles.table = layout.take<StoredTileTable>(1);
  tiles.shape = *settings.tiles;
  tiles.tiles_per_strip = tiles_of_strip(tiles.shape);
  tiles.code_bytes = tiles.shape.code_bits == 8 ? 1 : 2;
  tiles.block_code_bytes = most_code_bytes(settings, tiles.code_bytes);
  tiles.codes = layout.take<std::uint8_t>(blocks * tiles.block_code_bytes);
  tiles.code_places = layout.take<BlockPlace>(blocks);
  tiles.blocks = layout.take<TileBlock>(blocks);
  tiles.strips_per_block = static_cast<std::uint32_t>(
      gsst::format::part_size(tiles.block_code_bytes / tiles.code_bytes, tiles.codes_per_strip() - 1));
  tiles.strip_begins = layout.take<std::uint32_t>(blocks * (tiles.strips_per_block + 1));
  tiles.strip_outputs = layout.take<std::uint32_t>(blocks * tiles.strips_per_block);
  if (trains_on_executor(settings)) {
    encoding.training_scratch = layout.take<training::Scratch>(1);
    encoding.weighed = layout.take<training::WeighedTable>(1);
  }
  encoding.space = {.output_bytes = largest_frame_bytes(settings), .scratch_bytes = layout.bytes()};
  return encoding;
}

// What kernels need of `table`.
inline StoredTileTable stored_table(const TileTable& table) {
  StoredTileTable stored{};
  stored.escape_free = table.escape_free ? 1 : 0;
  for (std::uint32_t i = 0; i < gsst::format::length_class_count; ++i) {
    stored.stored_class_lengths[i] = table.class_lengths[i];
    stored.class_lengths |= std::uint64_t{table.class_lengths[i]} << (4 * i);
  }
  const std::uint32_t first = gsst::format::literal_class_count(table.code_bits, table.escape_free) *
                              (1u << table.code_bits) / gsst::format::length_class_count;
  for (std::uint32_t code = first; code < table.symbols.size(); ++code) {
    for (unsigned byte = 0; byte < table.length(code); ++byte) {
      stored.symbols[stored.symbol_bytes++] = static_cast<std::uint8_t>(table.symbols[code] >> (8 * byte));
    }
  }
  return stored;
}

inline void load_table(const EncodeRequest& request, const TileTable& table) {
  const Encoding encoding = make_encoding(request);
  if (encoding.job.group_count == 0) return;
  with_lookup_of(request.settings, [&]<typename Lookup>() {
    using Tables = typename Lookup::Tables;
    std::vector<Tables> tables(1);
    fill(table, tables.front());
    gsst::stage::copy_to_executor(reinterpret_cast<Tables*>(encoding.job.tables),
                                  std::span<const Tables>(tables), request.stream);
  });
  const std::vector<StoredTileTable> stored = {stored_table(table)};
  gsst::stage::copy_to_executor(const_cast<StoredTileTable*>(encoding.tiles.table), std::span(stored),
                                request.stream);
  const std::vector<std::uint32_t> first_table = {0};
  gsst::stage::copy_to_executor(encoding.job.parts.table_of_group, std::span(first_table), request.stream);
}

// Enqueues the training of a table, as the reference codec does at level 1.
inline void enqueue_training(const EncodeRequest& request) {
  const Encoding encoding = make_encoding(request);
  if (encoding.job.group_count == 0) return;
  const FrameParts& parts = encoding.job.parts;
  void* const stream = request.stream;
  gsst::stage::clear(parts.table_of_group, sizeof *parts.table_of_group, stream);
  enqueue_clearing(encoding.training_scratch, 1, stream);
  gsst::stage::launch({.thread_blocks = 1,
                       .threads_per_block = training_threads,
                       .shared_bytes = sizeof(training::Shared),
                       .stream = stream},
                      training::train_symbols, parts, encoding.training_scratch, encoding.weighed);
  constexpr unsigned pieces_of_thread_block = training::weighing_threads / 32;
  const std::uint32_t pieces = training::weighed_piece_count(request.settings.input_bytes);
  gsst::stage::launch({.thread_blocks = (pieces + pieces_of_thread_block - 1) / pieces_of_thread_block,
                       .threads_per_block = training::weighing_threads,
                       .shared_bytes = sizeof(training::WeighingShared),
                       .stream = stream},
                      training::weigh_symbols, parts.cut, encoding.weighed);
  gsst::stage::launch({.thread_blocks = 1,
                       .threads_per_block = training::building_threads,
                       .shared_bytes = sizeof(training::BuildingShared),
                       .stream = stream},
                      training::build_tile_table, encoding.weighed,
                      const_cast<StoredTileTable*>(encoding.tiles.table),
                      reinterpret_cast<TileTables<8>*>(encoding.job.tables));
}

// Trains a table on pieces from all over the input, as the reference codec does at the lowest level that has
// the width. Waits for the stream.
inline void train_on_host(const EncodeRequest& request) {
  constexpr std::uint64_t piece_bytes = std::uint64_t{64} << 10;
  constexpr std::uint64_t most_pieces = 64;
  const std::uint64_t input_bytes = request.settings.input_bytes;
  if (input_bytes == 0) return;
  const std::uint64_t pieces = std::min(gsst::format::part_size(input_bytes, piece_bytes), most_pieces);
  std::vector<SampleChunk> chunks;
  std::uint64_t sample_bytes = 0;
  for (std::uint64_t piece = 0; piece < pieces; ++piece) {
    const std::uint64_t begin = input_bytes / pieces * piece;
    const std::uint64_t size = std::min(piece_bytes, input_bytes - begin);
    chunks.push_back({.bytes = request.input + begin, .size = size, .place = sample_bytes});
    sample_bytes += size;
  }
  const std::vector<std::uint8_t> sample = fetch_samples(request, chunks, sample_bytes);
  const std::uint32_t code_bits = request.settings.tiles->code_bits;
  const unsigned level =
      code_bits == 8 ? gsst::reference::min_level : gsst::reference::first_dictionary_level;
  load_table(request,
             gsst::reference::train_tile_table(sample, code_bits, level, gsst::reference::Parse::greedy,
                                               gsst::reference::thread_count(0)));
}

inline void train(const EncodeRequest& request) {
  if (trains_on_executor(request.settings)) return enqueue_training(request);
  train_on_host(request);
}

// Codes, and beside them checksums.
inline void enqueue_encoding(const EncodeRequest& request) {
  const Encoding encoding = make_encoding(request);
  const EncodeJob& job = encoding.job;
  if (job.group_count == 0) return;
  const auto enqueue_kernel = [&](void* stream) {
    with_lookup_of(request.settings, [&]<typename Lookup>() {
      const auto enqueue =
          encoding.row_bytes == short_row_bytes
              ? enqueue_encoding_kernel<TransposedRows<short_row_bytes, most_tile_warps>, Lookup>
              : enqueue_encoding_kernel<TransposedRows<long_row_bytes, most_tile_warps>, Lookup>;
      enqueue(request.settings, job, most_tile_warps, stream);
    });
  };
  gsst::stage::enqueue_side_by_side(request.stream, enqueue_kernel,
                                    [&](void* stream) { enqueue_checksums_beside(job, stream); });
}

// Warps of a thread block that each take a strip, or a block.
constexpr unsigned strip_warps = 4;

inline void enqueue_strip_kernel(const TileJob& tiles, std::uint64_t thread_blocks, void (*kernel)(TileJob),
                                 void* stream) {
  gsst::stage::launch({.thread_blocks = static_cast<unsigned>(thread_blocks),
                       .threads_per_block = strip_warps * 32,
                       .shared_bytes = 0,
                       .stream = stream},
                      kernel, tiles);
}

// All of the frame but the tiles.
inline void enqueue_frame(const EncodeRequest& request) {
  const Encoding encoding = make_encoding(request);
  const TileJob& tiles = encoding.tiles;
  const std::uint32_t blocks = tiles.parts.cut.block_count;
  void* const stream = request.stream;
  if (blocks != 0) {
    enqueue_frame_kernel(blocks, stream, locate_segments, tiles);
    EncodeJob copies = encoding.job;
    copies.parts.frame = tiles.codes;
    copies.parts.places = tiles.code_places;
    enqueue_copies(copies, encoding.row_bytes, shared_room(request.settings), stream);
    enqueue_strip_kernel(tiles, gsst::format::part_size(blocks, strip_warps), cut_strips, stream);
    enqueue_strip_kernel(tiles, strip_thread_blocks(tiles, strip_warps), measure_strips, stream);
    enqueue_frame_kernel(blocks, stream, size_tile_blocks, tiles);
    gsst::stage::launch({.thread_blocks = 1, .threads_per_block = 32, .shared_bytes = 0, .stream = stream},
                        share_table, tiles);
  }
  enqueue_frame_kernel(1, stream, place_blocks, tiles.parts);
  if (blocks != 0) enqueue_frame_kernel(blocks, stream, write_tile_blocks, tiles);
  enqueue_frame_ends(tiles.parts, gsst::format::BlockFormat::tiles, request.settings, stream);
}

inline void enqueue_tiles(const EncodeRequest& request) {
  const TileJob tiles = make_encoding(request).tiles;
  if (tiles.parts.cut.block_count == 0) return;
  enqueue_strip_kernel(tiles, strip_thread_blocks(tiles, strip_warps), write_tiles, request.stream);
}

}  // namespace
}  // namespace tiles
