#pragma once

#include <array>
#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/frame_on_device.hpp"
#include "stages/tile_integer/10_wide_queries/row_values.cuh"
#include "stages/tile_integer/shared/copy_ring.cuh"
#include "stages/tile_integer/shared/lane_values.cuh"
#include "stages/tile_integer/shared/warp_sums.cuh"
#include "stages/tile_integer/shared/warp_tile.cuh"

// The tiles of a warp, whose columns are copied to shared memory while it works on earlier ones. Columns are
// frames at multiples of 16 bytes with an index at a multiple of 8.
namespace gsst::tile_integer {
namespace {

// What a kernel is launched with besides the query.
struct WideShape {
  // Where each copied column goes in a slot, and, after the last one, the slot's size; multiples of 16.
  std::array<std::uint32_t, max_columns + 1> offsets;
  // Of shared memory, for the bits of the first table; 0 where none is joined, or it has too many keys. A
  // multiple of 16.
  std::uint32_t bits_bytes;
  // Whether a tile is skipped of which references and widths show that no row passes.
  bool skips_tiles;

  __host__ __device__ std::uint32_t slot_bytes(std::uint32_t copied) const { return offsets[copied]; }
};

// What the index says of a block of a column.
struct WideIndexEntry {
  std::uint64_t payload_offset;
  std::uint32_t uncompressed_bytes;
  bool is_raw;
};

// A tile before anything of it is used. Lane c has the entry of column c, lanes without a column that of the
// first one.
struct FoundTile {
  WideIndexEntry entry;
  std::uint32_t block;
  // Of the tile in its block.
  std::uint32_t number;
  bool exists;
};

// Of column `column`: packed blocks or run blocks of a tile.
template <std::uint32_t Runs>
constexpr std::uint32_t blocks_of_wide_tile(std::uint32_t column) {
  return has_runs_in(Runs, column) ? wide_run_blocks : wide_blocks;
}

// A tile whose index entries have arrived.
template <std::uint32_t Columns, std::uint32_t Runs>
struct KnownTile {
  // Lane c has that of column c.
  const std::uint8_t* payload;
  // Bit c: column c is raw.
  std::uint32_t raw_columns;
  std::uint32_t number;
  // 0 where there is nothing to do.
  std::uint32_t rows;
  // Of each column: lane l has where packed block or run block l of the tile starts, or, after the last one,
  // where that ends, in words of the payload. Of whole tiles alone.
  std::uint32_t starts[Columns];

  __device__ bool is_whole() const { return rows == wide_rows && raw_columns == 0; }
  // All lanes.
  __device__ const std::uint8_t* payload_of(std::uint32_t column) const {
    return reinterpret_cast<const std::uint8_t*>(
        __shfl_sync(every_lane, reinterpret_cast<unsigned long long>(payload), static_cast<int>(column)));
  }
  __device__ std::uint32_t start(std::uint32_t column, std::uint32_t block) const {
    return __shfl_sync(every_lane, starts[column], static_cast<int>(block));
  }
};

template <std::uint32_t Columns, std::uint32_t Runs>
class WideTiles {
public:
  __device__ explicit WideTiles(const QueryOnDevice& query) : query_(query) {
    const stage::FrameOnDevice& own = query.columns[lane_number() < Columns ? lane_number() : 0];
    column_ = own.bytes;
    index_ = own.bytes + own.index_offset;
    // No block is larger than the first.
    tiles_of_block_ = wide_tiles_of(__shfl_sync(every_lane, entry_of(0).uncompressed_bytes, 0));
    const std::uint32_t warps = blockDim.x / lanes_of_warp;
    const std::uint32_t all_warps = gridDim.x * warps;
    const std::uint32_t first = blockIdx.x * warps + warp_number();
    const std::uint32_t tiles = block_count() * tiles_of_block_;
    count_ = first < tiles ? (tiles - first - 1) / all_warps + 1 : 0;
    block_ = first / tiles_of_block_;
    tile_ = first % tiles_of_block_;
    blocks_to_next_ = all_warps / tiles_of_block_;
    tiles_to_next_ = all_warps % tiles_of_block_;
  }

  // How many times find_next() finds one.
  __device__ std::uint32_t count() const { return count_; }

  // One that does not exist after the last one. Waits for nothing.
  __device__ FoundTile find_next() {
    FoundTile tile = {.entry = {}, .block = block_, .number = tile_, .exists = block_ < block_count()};
    if (tile.exists) tile.entry = entry_of(block_);
    // Without a division, which takes as long as some rows.
    block_ += blocks_to_next_;
    tile_ += tiles_to_next_;
    if (tile_ >= tiles_of_block_) {
      tile_ -= tiles_of_block_;
      ++block_;
    }
    return tile;
  }

  // All lanes: waits for the entries of a tile, and starts loading where its packed blocks and run blocks
  // start. The first tile of a block reports the block: all rows are there if the blocks of all columns have
  // the same number of values.
  __device__ KnownTile<Columns, Runs> know(const FoundTile& found) const {
    KnownTile<Columns, Runs> tile = {};
    if (!found.exists) return tile;
    const std::uint32_t bytes = __shfl_sync(every_lane, found.entry.uncompressed_bytes, 0);
    const bool is_same = is_same_block(found.entry.uncompressed_bytes, bytes);
    if (found.number == 0 && lane_number() < Columns) {
      query_.statuses[lane_number() * block_count() + found.block] = status_of_column(is_same);
    }
    tile.payload = column_ + found.entry.payload_offset;
    tile.raw_columns = __ballot_sync(every_lane, found.entry.is_raw) & ((1U << Columns) - 1);
    tile.number = found.number;
    const std::uint32_t values = bytes / static_cast<std::uint32_t>(sizeof(std::uint32_t));
    const std::uint32_t first = found.number * wide_rows;
    if (!__all_sync(every_lane, is_same) || first >= values) return tile;
    tile.rows = values - first < wide_rows ? values - first : wide_rows;
    if (!tile.is_whole()) return tile;
    constexpr auto header_words =
        static_cast<std::uint32_t>(format::tile_integer::header_bytes / format::tile_integer::word_bytes);
#pragma unroll
    for (std::uint32_t column = 0; column < Columns; ++column) {
      const std::uint32_t blocks = Runs == 0 ? wide_blocks : blocks_of_wide_tile<Runs>(column);
      const std::uint32_t word =
          header_words + found.number * blocks + (lane_number() <= blocks ? lane_number() : 0);
      tile.starts[column] = load_payload_word<true>(tile.payload_of(column), word);
    }
    return tile;
  }

private:
  __device__ std::uint32_t block_count() const {
    return query_.columns[0].block_count;
  }

  // Of the lane's column.
  __device__ WideIndexEntry entry_of(std::uint32_t block) const {
    const std::uint8_t* const entry = index_ + std::uint64_t{block} * format::index_entry_bytes;
    return {.payload_offset = *reinterpret_cast<const std::uint64_t*>(entry),
            .uncompressed_bytes = reinterpret_cast<const std::uint32_t*>(entry)[7],
            .is_raw = format::IndexEntryFields(entry).layout() == format::BlockLayout::raw};
  }

  const QueryOnDevice& query_;
  // The lane's.
  const std::uint8_t* column_;
  const std::uint8_t* index_;
  std::uint32_t tiles_of_block_;
  std::uint32_t count_;
  std::uint32_t block_;
  std::uint32_t tile_;
  std::uint32_t blocks_to_next_;
  std::uint32_t tiles_to_next_;
};

constexpr std::uint32_t words_of_wide_piece = piece_bytes / format::tile_integer::word_bytes;
// Words that may be read after a column's pieces.
constexpr std::uint32_t bytes_after_column = words_read_after_tile * format::tile_integer::word_bytes;

// A tile of which copies are under way, if `is_copied`: of the columns that the flight has copied. A whole
// tile whose columns have no room in a slot is not copied.
template <typename Flight>
struct CopiedTile {
  static constexpr std::uint32_t columns = Flight::columns;
  static constexpr std::uint32_t runs = Flight::run_columns;

  KnownTile<columns, runs> tile;
  bool is_copied;

  // All lanes: what of column `column` a lane reads for its miniblock; `slot` is the tile's.
  __device__ LaneBlock<4> block(std::uint32_t column, const std::uint8_t* slot,
                                const WideShape& shape) const {
    using format::tile_integer::miniblock_values;
    using format::tile_integer::miniblocks_of_packed_block;
    const std::uint32_t start = tile.start(column, lane_number() / miniblocks_of_packed_block);
    const std::uint32_t index = lane_number() % miniblocks_of_packed_block * miniblock_values;
    const std::uint32_t* words;
    if ((Flight::copied_columns >> column & 1) != 0) {
      words = copied_words(column, start, slot, shape);
    } else {
      words = reinterpret_cast<const std::uint32_t*>(tile.payload_of(column)) + start;
    }
    return LaneBlock<4>(words, index);
  }

  // All lanes: the words of the lane's run block of column `column`, which has runs and is copied.
  __device__ const std::uint32_t* run_block(std::uint32_t column, const std::uint8_t* slot,
                                            const WideShape& shape) const {
    constexpr std::uint32_t lanes = lanes_of_warp / wide_run_blocks;
    return copied_words(column, tile.start(column, lane_number() / lanes), slot, shape);
  }

  // All lanes.
  __device__ RowValues<columns, runs> row_values() const {
    RowValues<columns, runs> values = {.payloads = {},
                                       .raw_columns = tile.raw_columns,
                                       .first_row = tile.number * wide_rows,
                                       .rows = tile.rows};
#pragma unroll
    for (std::uint32_t column = 0; column < columns; ++column) {
      values.payloads[column] = tile.payload_of(column);
    }
    return values;
  }

private:
  // All lanes: where word `word` of the payload of column `column` is in the tile's slot.
  __device__ const std::uint32_t* copied_words(std::uint32_t column, std::uint32_t word,
                                               const std::uint8_t* slot, const WideShape& shape) const {
    const std::uint32_t begin = tile.start(column, 0);
    return reinterpret_cast<const std::uint32_t*>(slot + shape.offsets[column]) +
           (word - begin + begin % words_of_wide_piece);
  }
};

// All lanes: starts the copies of a tile as group `number`, each of the tile's words of a column with what is
// around them up to multiples of 16 bytes, which is the frame's too.
template <typename Flight>
__device__ inline CopiedTile<Flight> start_columns(
    CopyRing<Flight::copied>& ring, std::uint32_t number,
    const KnownTile<Flight::columns, Flight::run_columns>& tile, const WideShape& shape) {
  constexpr std::uint32_t copied_columns = Flight::copied_columns;
  constexpr bool has_gaps = copied_columns != (1U << Flight::copied) - 1;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t offset = 0;
  std::uint32_t room = 0;
#pragma unroll
  for (std::uint32_t column = 0; column < Flight::copied; ++column) {
    if ((copied_columns >> column & 1) == 0) continue;
    const std::uint32_t own_begin = tile.start(column, 0);
    const std::uint32_t own_end = tile.start(column, blocks_of_wide_tile<Flight::run_columns>(column));
    if (lane_number() != column) continue;
    begin = own_begin;
    end = own_end;
    offset = shape.offsets[column];
    room = shape.offsets[column + 1] - offset;
  }
  const std::uint32_t first_piece = begin / words_of_wide_piece;
  const std::uint32_t bytes =
      ((end + words_of_wide_piece - 1) / words_of_wide_piece - first_piece) * piece_bytes;
  const bool has_nothing =
      lane_number() >= Flight::copied || (has_gaps && (copied_columns >> lane_number() & 1) == 0);
  const bool has_room = has_nothing || bytes + bytes_after_column <= room;
  CopiedTile<Flight> copied = {.tile = tile,
                               .is_copied = tile.is_whole() && __all_sync(every_lane, has_room)};
  ring.start(number, tile.payload + std::uint64_t{first_piece} * piece_bytes, offset,
             copied.is_copied ? bytes : 0);
  return copied;
}

}  // namespace
}  // namespace gsst::tile_integer
