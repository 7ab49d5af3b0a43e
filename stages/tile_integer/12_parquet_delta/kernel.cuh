#pragma once

#include <cstddef>
#include <cstdint>

#include "common/format/tile_integer/parquet_column.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/shared/block_sum.cuh"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/packed_value.cuh"

// Pages of Parquet files: where their blocks start is found first, then blocks are summed, the sums of a page
// are summed, and blocks are decoded.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::parquet_tile_values;
using format::tile_integer::ParquetStatus;
using format::tile_integer::ParquetStream;
using format::tile_integer::ParquetStreamKind;

constexpr std::uint32_t parquet_threads = 128;
// Streams that a thread block looks for pieces in.
constexpr std::uint32_t streams_of_thread_block = 32;

// Where a piece of a stream starts: a block, or the run that the first value of a tile is in.
struct ParquetPiece {
  // Of a block: its smallest difference. Of a run: the place of its first value in the stream.
  std::uint64_t number;
  // In the stream. Of a block: its widths. Of a run: its header.
  std::uint32_t offset;
};

struct ParquetOnDevice {
  const std::uint8_t* file;
  const ParquetStream* streams;
  std::uint32_t stream_count;
  std::uint32_t value_bytes;
  ParquetPiece* pieces;
  // Of the differences of each block; then, of all that comes before it in its page.
  std::uint64_t* sums;
  // Of each stream: its pieces that can be decoded.
  std::uint32_t* found;
  std::uint8_t* values;
  std::uint8_t* levels;
  std::uint32_t* status;
};

// Words from any address on.
class PageWords {
public:
  __device__ explicit PageWords(const std::uint8_t* bytes) : bytes_(bytes) {}

  __device__ std::uint32_t word(std::uint32_t number) const {
    return load_word(bytes_ + std::uint64_t{number} * 4);
  }

private:
  const std::uint8_t* bytes_;
};

// A stream, read byte by byte from its first one on.
class StreamBytes {
public:
  __device__ StreamBytes(const std::uint8_t* bytes, std::uint32_t size, std::uint32_t offset)
      : bytes_(bytes), size_(size), offset_(offset) {}

  __device__ std::uint32_t offset() const { return offset_; }
  __device__ std::uint8_t at(std::uint32_t offset) const { return bytes_[offset]; }

  // Whether there are as many bytes; then they have been passed.
  __device__ bool skip(std::uint64_t bytes) {
    if (bytes > size_ - offset_) return false;
    offset_ += static_cast<std::uint32_t>(bytes);
    return true;
  }

  // A number of 7 bits a byte in at most 10 bytes, `most` at most; else one of the two statuses.
  __device__ ParquetStatus number(std::uint64_t most, ParquetStatus ends, ParquetStatus too_large,
                                  std::uint64_t& value) {
    value = 0;
    for (std::uint32_t shift = 0; shift < 70; shift += 7) {
      if (offset_ == size_) return ends;
      const std::uint32_t byte = bytes_[offset_++];
      // The tenth byte has one bit of the 64.
      if (shift == 63 && byte > 1) return too_large;
      value |= std::uint64_t{byte & 0x7f} << shift;
      if (byte < 0x80) return value > most ? too_large : ParquetStatus::decoded;
    }
    // not covered: the tenth byte is too large or the last one
    return too_large;
  }

private:
  const std::uint8_t* bytes_;
  std::uint32_t size_;
  std::uint32_t offset_;
};

__device__ inline std::uint32_t smaller(std::uint32_t a, std::uint32_t b) {
  return a < b ? a : b;
}

// Differences of block `piece` of a stream: all of a block but the last one's.
__device__ inline std::uint32_t differences_of_block(const ParquetStream& stream, std::uint32_t piece) {
  return smaller(stream.block_values, stream.values - 1 - piece * stream.block_values);
}

// Passes block `piece`; `found` becomes where it starts.
__device__ inline ParquetStatus pass_block(const ParquetStream& stream, std::uint32_t piece,
                                           std::uint32_t value_bytes, StreamBytes& bytes,
                                           ParquetPiece& found) {
  std::uint64_t number = 0;
  const ParquetStatus status =
      bytes.number(value_bytes == 8 ? ~std::uint64_t{0} : 0xffffffff, ParquetStatus::min_delta_ends,
                   ParquetStatus::min_delta_too_large, number);
  if (status != ParquetStatus::decoded) return status;
  // Zigzag.
  found.number = number >> 1 ^ (0 - (number & 1));
  found.offset = bytes.offset();
  if (!bytes.skip(stream.miniblocks)) return ParquetStatus::bit_widths_end;
  const std::uint32_t miniblock_values = stream.block_values / stream.miniblocks;
  const std::uint32_t differences = differences_of_block(stream, piece);
  // Miniblocks that no value is in have widths, which may be any, and no bytes.
  for (std::uint32_t miniblock = 0; miniblock * miniblock_values < differences; ++miniblock) {
    const std::uint32_t width = bytes.at(found.offset + miniblock);
    if (width > 8 * value_bytes) return ParquetStatus::bit_width_too_large;
    if (!bytes.skip(miniblock_values / 8 * width)) return ParquetStatus::miniblock_ends;
  }
  return ParquetStatus::decoded;
}

// A run of the hybrid.
struct Run {
  // Of the page, as far as it has values.
  std::uint32_t values;
  // In the stream: its one value, or its groups of 8.
  std::uint32_t offset;
  bool is_packed;
};

// Passes a run where `expected` values are still to come.
__device__ inline ParquetStatus pass_run(const ParquetStream& stream, std::uint32_t expected,
                                         StreamBytes& bytes, Run& run) {
  std::uint64_t header = 0;
  const ParquetStatus status =
      bytes.number(0xffffffff, ParquetStatus::run_header_ends, ParquetStatus::run_header_too_large, header);
  if (status != ParquetStatus::decoded) return status;
  run.is_packed = header % 2 == 1;
  run.offset = bytes.offset();
  const auto length = static_cast<std::uint32_t>(header / 2);
  if (length == 0) return ParquetStatus::run_empty;
  if (run.is_packed) {
    const std::uint32_t groups = expected / 8 + (expected % 8 != 0 ? 1 : 0);
    if (length > groups) return ParquetStatus::run_too_long;
    run.values = length == groups ? expected : length * 8;
    return bytes.skip(std::uint64_t{length} * stream.width) ? ParquetStatus::decoded
                                                            : ParquetStatus::run_ends;
  }
  if (length > expected) return ParquetStatus::run_too_long;
  run.values = length;
  const std::uint32_t value_bytes = (stream.width + 7) / 8;
  if (!bytes.skip(value_bytes)) return ParquetStatus::run_ends;
  // Of whole bytes, the last one may have bits above the width.
  const bool has_more_bits =
      stream.width % 8 != 0 && bytes.at(run.offset + value_bytes - 1) >> stream.width % 8 != 0;
  return has_more_bits ? ParquetStatus::run_value_too_large : ParquetStatus::decoded;
}

__device__ inline ParquetStatus find_blocks(const ParquetOnDevice& column, const ParquetStream& stream,
                                            StreamBytes bytes, std::uint32_t& found) {
  for (found = 0; found < stream.pieces; ++found) {
    ParquetPiece piece{};
    const ParquetStatus status = pass_block(stream, found, column.value_bytes, bytes, piece);
    if (status != ParquetStatus::decoded) return status;
    column.pieces[stream.first_piece + found] = piece;
  }
  return ParquetStatus::decoded;
}

__device__ inline ParquetStatus find_runs(const ParquetOnDevice& column, const ParquetStream& stream,
                                          StreamBytes bytes, std::uint32_t& found) {
  std::uint32_t tile = 0;
  for (std::uint32_t first = 0; first < stream.values;) {
    const std::uint32_t offset = bytes.offset();
    Run run{};
    const ParquetStatus status = pass_run(stream, stream.values - first, bytes, run);
    if (status != ParquetStatus::decoded) {
      // Of the tile with the first value of this run, some are missing.
      found = first / parquet_tile_values;
      return status;
    }
    // All tiles whose first value is in the run.
    for (; tile < stream.pieces && tile * parquet_tile_values < first + run.values; ++tile) {
      column.pieces[stream.first_piece + tile] = {first, offset};
    }
    first += run.values;
  }
  found = stream.pieces;
  return ParquetStatus::decoded;
}

// The first value of a stream is stored before its blocks.
__device__ inline void store_first_value(const ParquetOnDevice& column, const ParquetStream& stream) {
  if (stream.values == 0) return;
  store_value(column.values + stream.output * column.value_bytes, stream.first_value, column.value_bytes);
}

// A thread a stream, which walks from header to header and sets the stream's status.
__global__ void find_pieces(ParquetOnDevice column) {
  const std::uint32_t number = blockIdx.x * streams_of_thread_block + threadIdx.x;
  if (number >= column.stream_count) return;
  const ParquetStream& stream = column.streams[number];
  const StreamBytes bytes(column.file + stream.offset, stream.bytes, 0);
  ParquetStatus status = ParquetStatus::decoded;
  std::uint32_t found = stream.pieces;
  if (stream.kind == ParquetStreamKind::delta) {
    store_first_value(column, stream);
    status = find_blocks(column, stream, bytes, found);
  } else if (stream.kind != ParquetStreamKind::plain) {
    status = find_runs(column, stream, bytes, found);
  }
  column.found[number] = found;
  column.status[number] = static_cast<std::uint32_t>(status);
}

// The stream that a piece belongs to: the last one that starts with it or before it.
__device__ inline std::uint32_t stream_of_piece(const ParquetOnDevice& column, std::uint32_t piece) {
  std::uint32_t first = 0;
  for (std::uint32_t end = column.stream_count; end - first > 1;) {
    const std::uint32_t middle = first + (end - first) / 2;
    if (column.streams[middle].first_piece <= piece) {
      first = middle;
    } else {
      end = middle;
    }
  }
  return first;
}

// The differences of a block, of which a thread asks for later and later ones.
class BlockDifferences {
public:
  __device__ BlockDifferences(const ParquetOnDevice& column, const ParquetStream& stream,
                              const ParquetPiece& piece)
      : smallest_(piece.number),
        miniblock_values_(stream.block_values / stream.miniblocks),
        widths_(column.file + stream.offset + piece.offset),
        packed_(widths_ + stream.miniblocks) {}

  __device__ std::uint64_t at(std::uint32_t index) {
    const std::uint32_t wanted = index / miniblock_values_;
    for (; miniblock_ < wanted; ++miniblock_) packed_ += miniblock_values_ / 8 * widths_[miniblock_];
    const std::uint32_t width = widths_[miniblock_];
    return smallest_ + extract_bits(PageWords(packed_), 0, index % miniblock_values_ * width, width);
  }

private:
  std::uint64_t smallest_;
  std::uint32_t miniblock_values_;
  std::uint32_t miniblock_ = 0;
  const std::uint8_t* widths_;
  // Of the miniblock.
  const std::uint8_t* packed_;
};

// A thread block a piece: the sum of the differences of each block.
__global__ void sum_blocks(ParquetOnDevice column) {
  GSST_SHARED_MEMORY(memory);
  auto* const sums_of_warps = reinterpret_cast<std::uint64_t*>(memory);
  const std::uint32_t number = stream_of_piece(column, blockIdx.x);
  const ParquetStream& stream = column.streams[number];
  const std::uint32_t piece = blockIdx.x - stream.first_piece;
  if (stream.kind != ParquetStreamKind::delta || piece >= column.found[number]) return;
  BlockDifferences differences(column, stream, column.pieces[blockIdx.x]);
  const std::uint32_t count = differences_of_block(stream, piece);
  std::uint64_t sum = 0;
  for (std::uint32_t index = threadIdx.x; index < count; index += parquet_threads)
    sum += differences.at(index);
  std::uint64_t total = 0;
  block_inclusive_sum<std::uint64_t, parquet_threads>(sum, sums_of_warps, total);
  if (threadIdx.x == 0) column.sums[blockIdx.x] = total;
}

// A thread block a stream: sums of blocks become the values before them.
__global__ void scan_sums(ParquetOnDevice column) {
  GSST_SHARED_MEMORY(memory);
  auto* const sums_of_warps = reinterpret_cast<std::uint64_t*>(memory);
  const ParquetStream& stream = column.streams[blockIdx.x];
  if (stream.kind != ParquetStreamKind::delta) return;
  std::uint64_t before = stream.first_value;
  const std::uint32_t found = column.found[blockIdx.x];
  for (std::uint32_t begin = 0; begin < found; begin += parquet_threads) {
    const std::uint32_t piece = begin + threadIdx.x;
    std::uint64_t* const own = column.sums + stream.first_piece + piece;
    const std::uint64_t sum = piece < found ? *own : 0;
    std::uint64_t total = 0;
    const std::uint64_t inclusive =
        block_inclusive_sum<std::uint64_t, parquet_threads>(sum, sums_of_warps, total);
    if (piece < found) *own = before + inclusive - sum;
    before += total;
  }
}

// All threads.
__device__ inline void decode_block(const ParquetOnDevice& column, const ParquetStream& stream,
                                    std::uint32_t piece, std::uint64_t* sums_of_warps) {
  BlockDifferences differences(column, stream, column.pieces[stream.first_piece + piece]);
  const std::uint32_t count = differences_of_block(stream, piece);
  const std::uint64_t first = stream.output + 1 + std::uint64_t{piece} * stream.block_values;
  std::uint64_t before = column.sums[stream.first_piece + piece];
  for (std::uint32_t begin = 0; begin < count; begin += parquet_threads) {
    const std::uint32_t index = begin + threadIdx.x;
    const std::uint64_t difference = index < count ? differences.at(index) : 0;
    std::uint64_t total = 0;
    const std::uint64_t sum =
        block_inclusive_sum<std::uint64_t, parquet_threads>(difference, sums_of_warps, total);
    if (index < count) {
      store_value(column.values + (first + index) * column.value_bytes, before + sum, column.value_bytes);
    }
    before += total;
  }
}

// The runs of a tile in shared memory.
struct TileRuns {
  // Places of first values in the stream.
  std::uint32_t firsts[parquet_tile_values];
  // In the stream, of a run's value or groups, and in the highest bit whether it is packed: a page has fewer
  // than 2^31 bytes.
  std::uint32_t offsets[parquet_tile_values];
  std::uint32_t count;
};
constexpr std::uint32_t packed_bit = std::uint32_t{1} << 31;

// One thread: the runs from that of the tile's first value to that of the last one, before `end`.
__device__ inline void find_runs_of_tile(const ParquetOnDevice& column, const ParquetStream& stream,
                                         const ParquetPiece& piece, std::uint32_t end, TileRuns& runs) {
  StreamBytes bytes(column.file + stream.offset, stream.bytes, piece.offset);
  std::uint32_t count = 0;
  for (auto first = static_cast<std::uint32_t>(piece.number); first < end; ++count) {
    Run run{};
    // Was accepted before.
    pass_run(stream, stream.values - first, bytes, run);
    runs.firsts[count] = first;
    runs.offsets[count] = run.offset | (run.is_packed ? packed_bit : 0);
    first += run.values;
  }
  runs.count = count;
}

// Of the value at `place` in the stream.
__device__ inline std::uint32_t hybrid_value(const ParquetOnDevice& column, const ParquetStream& stream,
                                             const TileRuns& runs, std::uint32_t place) {
  std::uint32_t run = 0;
  for (std::uint32_t end = runs.count; end - run > 1;) {
    const std::uint32_t middle = run + (end - run) / 2;
    if (runs.firsts[middle] <= place) {
      run = middle;
    } else {
      end = middle;
    }
  }
  const std::uint32_t in_run = (runs.offsets[run] & packed_bit) != 0 ? place - runs.firsts[run] : 0;
  // Groups of 8 values are whole bytes.
  const std::uint32_t offset = (runs.offsets[run] & ~packed_bit) + in_run / 8 * stream.width;
  return static_cast<std::uint32_t>(extract_bits(PageWords(column.file + stream.offset + offset), 0,
                                                 in_run % 8 * stream.width, stream.width));
}

// A value that is stored as it is.
__device__ inline void copy_value(const ParquetOnDevice& column, const std::uint8_t* from,
                                  std::uint64_t output) {
  std::uint64_t value = load_word(from);
  if (column.value_bytes == 8) value |= std::uint64_t{load_word(from + 4)} << 32;
  store_value(column.values + output * column.value_bytes, value, column.value_bytes);
}

__device__ inline void store_index(const ParquetOnDevice& column, const ParquetStream& stream,
                                   std::uint32_t number, std::uint32_t index, std::uint64_t output) {
  if (index >= stream.dictionary_values) {
    atomicMax(column.status + number, static_cast<std::uint32_t>(ParquetStatus::index_too_large));
  } else if (stream.dictionary_offset == 0) {
    store_value(column.values + output * column.value_bytes, index, column.value_bytes);
  } else {
    copy_value(column, column.file + stream.dictionary_offset + std::uint64_t{index} * column.value_bytes,
               output);
  }
}

// All threads.
__device__ inline void decode_tile(const ParquetOnDevice& column, const ParquetStream& stream,
                                   std::uint32_t number, std::uint32_t piece, TileRuns& runs) {
  const std::uint32_t begin = piece * parquet_tile_values;
  const std::uint32_t end = begin + smaller(parquet_tile_values, stream.values - begin);
  const bool is_plain = stream.kind == ParquetStreamKind::plain;
  if (!is_plain && threadIdx.x == 0) {
    find_runs_of_tile(column, stream, column.pieces[stream.first_piece + piece], end, runs);
  }
  __syncthreads();
  for (std::uint32_t place = begin + threadIdx.x; place < end; place += parquet_threads) {
    const std::uint64_t output = stream.output + place;
    if (is_plain) {
      copy_value(column, column.file + stream.offset + std::uint64_t{place} * column.value_bytes, output);
      continue;
    }
    const std::uint32_t value = hybrid_value(column, stream, runs, place);
    if (stream.kind == ParquetStreamKind::levels) {
      column.levels[output] = static_cast<std::uint8_t>(value);
    } else {
      store_index(column, stream, number, value, output);
    }
  }
}

// A thread block a piece.
__global__ void decode_pieces(ParquetOnDevice column) {
  GSST_SHARED_MEMORY(memory);
  const std::uint32_t number = stream_of_piece(column, blockIdx.x);
  const ParquetStream& stream = column.streams[number];
  const std::uint32_t piece = blockIdx.x - stream.first_piece;
  // Of all threads or of none: barriers follow.
  if (piece >= column.found[number]) return;
  if (stream.kind == ParquetStreamKind::delta) {
    decode_block(column, stream, piece, reinterpret_cast<std::uint64_t*>(memory));
  } else {
    decode_tile(column, stream, number, piece, *reinterpret_cast<TileRuns*>(memory));
  }
}

// On the host.

// Of sums of warps.
constexpr std::size_t sum_shared_bytes = parquet_threads / 32 * sizeof(std::uint64_t);

}  // namespace
}  // namespace gsst::tile_integer
