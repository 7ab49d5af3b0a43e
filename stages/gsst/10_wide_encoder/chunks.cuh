#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "common/stage/shared_memory.hpp"
#include "stages/gsst/10_wide_encoder/instructions.cuh"
#include "stages/gsst/10_wide_encoder/lookup_tables.hpp"
#include "stages/gsst/shared/frame_writer.cuh"

// What all steps share: which warp encodes what, how it gets there, and where the codes are kept until their
// place in the frame is known. A warp encodes a group of 32 consecutive splits of a block, a split a lane. It
// takes them chunk by chunk: a row of each split at a time.
namespace {

constexpr std::uint32_t all_lanes = 0xffffffff;
// Input of a split in a chunk, where there is room.
constexpr std::uint32_t long_row_bytes = 256;
// Where a multiprocessor has less shared memory, so that as many warps find room.
constexpr std::uint32_t short_row_bytes = 128;
// Behind a row: a lookup at its end reads this much of what is not there.
constexpr std::uint32_t lookahead_words = 4;
constexpr unsigned unit_bytes = 16;

// What the input is loaded by, and the frame is written by.
struct alignas(unit_bytes) Unit {
  std::uint32_t words[4];
};

// A chunk is kept as lines of 32 words, one of each lane: first the lanes' numbers of codes, then the codes,
// four in a word. There are as many lines as the lane with the most codes needs.
constexpr std::uint32_t line_words = 32;
constexpr std::uint32_t line_bytes = line_words * 4;

// Words that so many codes take.
__device__ inline std::uint32_t words_of_codes(std::uint32_t codes) {
  return (codes + 3) / 4;
}

// An encoding as a kernel receives it. All pointers are in the executor's memory.
struct EncodeJob {
  FrameParts parts;
  // Lookup tables of the step, one for each symbol table.
  std::uint8_t* tables;
  std::uint32_t groups_per_block;
  std::uint32_t group_count;
  // Bytes of a split, and of one of the last block.
  std::uint32_t split_bytes;
  std::uint32_t last_split_bytes;
  // Bytes of a group's splits; the last ones of a block have less.
  std::uint64_t group_input_bytes;
  // The chunks of each group, one behind the other, with room for the worst case; whole lines.
  std::uint8_t* chunks;
  std::uint64_t group_bytes;
  // The number of chunks of each group.
  std::uint32_t* chunk_counts;
};

// Bytes of a row before which no other lane ends a chunk.
constexpr std::uint32_t least_row_bytes(std::uint32_t row_bytes) {
  return row_bytes / 4 * 3;
}

// Room that the chunks of a group need at most: all escapes, of each chunk a word of codes for two bytes.
inline std::uint64_t most_group_bytes(std::uint32_t split_bytes, std::uint32_t row_bytes) {
  // A row may start with bytes of the one before.
  const std::uint32_t least_progress = least_row_bytes(row_bytes) - (unit_bytes - 1);
  const std::uint64_t chunks = gsst::format::part_size(split_bytes, least_progress);
  const std::uint64_t in_last_chunk = split_bytes - (chunks - 1) * least_progress;
  const std::uint64_t most_bytes = split_bytes < row_bytes ? split_bytes : row_bytes;
  const std::uint64_t lines = chunks + (chunks - 1) * ((most_bytes + 1) / 2) + (in_last_chunk + 1) / 2;
  return lines * line_bytes;
}

// A lane's split, and how far it is encoded.
struct Cursor {
  std::uint32_t block;
  // The split of the block; one behind the last used split has no input.
  std::uint32_t split;
  bool exists;
  // Bytes from the block's first to the next one to be encoded.
  std::uint32_t position;
  // Bytes that are left.
  std::uint32_t left;
  // The last code was an escape, and its byte comes next.
  bool escape_is_open;
};

__device__ inline Cursor cursor_of_lane(const EncodeJob& job, std::uint32_t group) {
  const InputCut& cut = job.parts.cut;
  const std::uint32_t block = group / job.groups_per_block;
  const std::uint32_t split = group % job.groups_per_block * 32 + threadIdx.x % 32;
  Cursor cursor = {.block = block,
                   .split = split,
                   .exists = split < cut.used_splits(),
                   .position = 0,
                   .left = 0,
                   .escape_is_open = false};
  if (cursor.exists) {
    // As InputCut::split() says, without its division.
    const std::uint32_t block_size = cut.block(block).size;
    const std::uint32_t size = block + 1 == cut.block_count ? job.last_split_bytes : job.split_bytes;
    const std::uint64_t begin = std::uint64_t{split} * size;
    if (begin < block_size) {
      cursor.position = static_cast<std::uint32_t>(begin);
      cursor.left = block_size - cursor.position < size ? block_size - cursor.position : size;
    }
  }
  return cursor;
}

// The unit at `address`; zeros for what is not input.
__device__ inline Unit load_unit(const InputCut& cut, const std::uint8_t* address) {
  const std::uint8_t* const end = cut.input + cut.input_bytes;
  if (address >= cut.input && address + unit_bytes <= end) return *reinterpret_cast<const Unit*>(address);
  Unit unit = {};
  for (std::uint32_t byte = 0; byte < unit_bytes; ++byte) {
    const std::uint8_t* const source = address + byte;
    if (source >= cut.input && source < end) unit.words[byte / 4] |= std::uint32_t{*source} << (byte % 4 * 8);
  }
  return unit;
}

// All lanes: brings the next row of each lane's split to where `place(row, unit)` says, a lane a unit.
// Returns the byte of its row that is the lane's next one: rows start at addresses that 16 divides.
template <std::uint32_t RowBytes, typename PlaceInChunk>
__device__ std::uint32_t load_rows(const InputCut& cut, const Cursor& cursor, PlaceInChunk place) {
  constexpr std::uint32_t units = RowBytes / unit_bytes;
  // As many rows at a time.
  constexpr std::uint32_t rows = 32 / units;
  const std::uint8_t* const block = cut.block(cursor.block).bytes;
  const auto before = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(block) % unit_bytes);
  // A lane without input loads anything.
  const std::uint32_t offset = before + (cursor.left == 0 ? 0 : cursor.position);
  const std::uint8_t* const first = block - before;
  const std::uint8_t* const own = first + std::size_t{offset / unit_bytes} * unit_bytes;
  const bool is_inside = own >= cut.input && own + RowBytes <= cut.input + cut.input_bytes;
  const std::uint32_t lane = computed_here(threadIdx.x % 32);
  const auto source = [&](std::uint32_t row) {
    const std::uint32_t unit = __shfl_sync(all_lanes, offset / unit_bytes, static_cast<int>(row));
    return first + std::size_t{unit + lane % units} * unit_bytes;
  };
  if (__all_sync(all_lanes, is_inside)) {
#pragma unroll
    for (std::uint32_t i = 0; i < units; ++i) {
      const std::uint32_t row = i * rows + lane / units;
      copy_asynchronously(place(row, lane % units), source(row));
    }
    wait_for_copies();
  } else {
    for (std::uint32_t row = lane / units; row < 32; row += rows) {
      *place(row, lane % units) = load_unit(cut, source(row));
    }
  }
  return offset % unit_bytes;
}

// A lane asks for the row that it will load next: of its split, or of the warp's next group, `warps` further.
template <std::uint32_t RowBytes>
__device__ void prefetch_next_row(const EncodeJob& job, const Cursor& cursor, std::uint32_t warps) {
  const InputCut& cut = job.parts.cut;
  const std::uint64_t distance = cursor.left > RowBytes ? RowBytes : warps * job.group_input_bytes;
  const std::uint64_t next = cursor.block * cut.block_bytes + cursor.position + distance;
  if (next + RowBytes > cut.input_bytes) return;
  for (std::uint32_t line = 0; line < RowBytes; line += line_bytes) prefetch(cut.input + next + line);
}

// The sum of the values of the lanes before this one.
__device__ inline std::uint32_t sum_before(std::uint32_t value) {
  const std::uint32_t lane = threadIdx.x % 32;
  std::uint32_t inclusive = value;
  for (std::uint32_t delta = 1; delta < 32; delta *= 2) {
    const std::uint32_t other = __shfl_up_sync(all_lanes, inclusive, delta);
    if (lane >= delta) inclusive += other;
  }
  return inclusive - value;
}

// What stands at a position.
struct Match {
  // In the byte that the lookup says; the others are meaningless.
  std::uint32_t code;
  // Length of the symbol; 0 for an escape, whose byte is a step of its own.
  std::uint32_t bits;
};

// All lanes: a chunk may end when fewer lanes than these are at work. Loading a chunk takes as long as some
// 20 codes of each lane: where splits go on behind their rows, to wait for the slowest fifth of the lanes
// takes longer.
__device__ inline int least_active_lanes(bool goes_on_behind_row) {
  const int lanes = std::popcount(__ballot_sync(all_lanes, goes_on_behind_row));
  return lanes == 0 ? 1 : lanes - lanes / 5;
}

// A lane's place in its row, and its codes so far.
struct RowProgress {
  // In bits.
  std::uint32_t at;
  std::uint32_t codes;
  // The last code was an escape, and its byte comes next.
  bool escape_is_open;
};

// Codes in a word of a line.
template <typename Lookup>
constexpr unsigned codes_of_word = 4 / Lookup::code_bytes;

// `word` with a match's code as code `index` of it.
template <typename Lookup>
__device__ std::uint32_t with_code(std::uint32_t word, std::uint32_t code, unsigned index) {
  if constexpr (Lookup::code_bytes == 1) {
    constexpr std::uint32_t of_code = 4 + Lookup::code_byte;
    constexpr std::uint32_t selectors[4] = {0x3210 | of_code, 0x3200 | of_code << 4, 0x3010 | of_code << 8,
                                            0x0210 | of_code << 12};
    return __byte_perm(word, code, selectors[index]);
  } else {
    return __byte_perm(word, code, index == 0 ? 0x3254 : 0x5410);
  }
}

// The next codes of a lane, a word of them, fewer where it comes to bit `end`, behind which no symbol
// reaches. Where `NearEnd` is false, as many symbols end before it, whatever they are.
template <bool NearEnd, typename Chunk, typename Lookup>
__device__ std::uint32_t encode_word(const Chunk& chunk, const Lookup& lookup, std::uint32_t end,
                                     RowProgress& row) {
  std::uint32_t word = 0;
#pragma unroll
  for (unsigned index = 0; index < codes_of_word<Lookup>; ++index) {
    const std::uint32_t* const input = chunk.input(row.at);
    const std::uint32_t middle = input[Chunk::word_stride];
    const std::uint32_t low = word_at(input[0], middle, row.at);
    const std::uint32_t high = word_at(middle, input[2 * Chunk::word_stride], row.at);
    constexpr std::uint32_t unlimited = 0xffffffff;
    const Match match = lookup.find(low, high, NearEnd ? end - row.at : unlimited, row.escape_is_open);
    word = with_code<Lookup>(word, match.code, index);
    row.escape_is_open = match.bits == 0;
    if constexpr (NearEnd) {
      advance(row.at, row.codes, match.bits, end);
    } else {
      row.at += match.bits;
    }
  }
  if constexpr (!NearEnd) row.codes += codes_of_word<Lookup>;
  return word;
}

// What encode_row() made.
struct EncodedRow {
  // Of the lane.
  std::uint32_t code_bytes;
  // Of all lanes.
  std::uint32_t lines;
};

// All lanes: each encodes its row, from bit `first` of it on; `cursor` moves on. `words` is the lane's word
// of the first line of codes.
//
// A lane looks at its own row only. Where it is there, in bits, says what it does next:
//
//            0    first                  last_inside  stop      row_bits
//            |      |                              |  |             |
//   lane 0   |......|##############################|__|_____________|   its split goes on past the row
//
//            0    first       last_inside        end = stop     row_bits
//            |      |                   |            |              |
//   lane 1   |......|###################|============|              |   its split ends in the row
//
//   lane 2   stop = 0                                                   its split is over
//
//   #  is_inside(): a word of symbols ends before the row and the split do, whatever they are
//   =  is_near_end: each symbol is compared with what is left of the split
//   _  left to the next chunk, but for what the last word from # has taken of it
//
// In each turn every lane writes a word, and together they write a line: lanes that have no more write words
// without codes until the chunk ends.
template <typename Chunk, typename Lookup>
__device__ EncodedRow encode_row(const Chunk& chunk, const Lookup& lookup, std::uint32_t first,
                                 Cursor& cursor, std::uint32_t* words) {
  constexpr std::uint32_t row_bytes = Chunk::row_bytes;
  constexpr std::uint32_t row_bits = row_bytes * 8;
  const std::uint32_t in_reach = cursor.left < 2 * row_bytes ? cursor.left : 2 * row_bytes;
  const std::uint32_t end = first + in_reach * 8;
  // The most that the symbols of a word take.
  constexpr std::uint32_t word_bits = codes_of_word<Lookup> * 64;
  const auto last_inside = static_cast<std::int32_t>((end < row_bits ? end : row_bits) - word_bits);
  std::uint32_t stop = end <= row_bits ? end : row_bits - word_bits + 8;
  if (cursor.left == 0) stop = 0;
  RowProgress row = {.at = first, .codes = 0, .escape_is_open = cursor.escape_is_open};

  const auto is_inside = [&] { return static_cast<std::int32_t>(row.at) <= last_inside; };
  // Little of the row would be left to the next chunk.
  const auto is_far = [&] { return row.at >= least_row_bytes(row_bytes) * 8; };

  std::uint32_t line = 0;
  // Nothing else to ask while all lanes are far from every border.
  for (; __all_sync(all_lanes, is_inside()); ++line) {
    words[std::size_t{line} * line_words] = encode_word<false>(chunk, lookup, end, row);
  }
  const int least_active = least_active_lanes(end > row_bits);
  for (;; ++line) {
    const bool has_more = row.at < stop;
    const int active = std::popcount(__ballot_sync(all_lanes, has_more));
    if (active < least_active) {
      const bool may_leave = !has_more || is_far();
      if (active == 0 || __all_sync(all_lanes, may_leave)) break;
    }
    const bool is_near_end = has_more && !is_inside();
    std::uint32_t word = 0;
    // Lanes that wait look nothing up: their accesses would delay those of the others.
    if (__any_sync(all_lanes, is_near_end)) {
      if (has_more) word = encode_word<true>(chunk, lookup, end, row);
    } else {
      if (has_more) word = encode_word<false>(chunk, lookup, end, row);
    }
    // All lanes, so that whole lines are written.
    words[std::size_t{line} * line_words] = word;
  }
  const std::uint32_t encoded = (row.at - first) / 8;
  // A lane that is at its end got there by a code of some length, whatever it did afterwards.
  cursor.escape_is_open = row.escape_is_open && row.at < end;
  cursor.position += encoded;
  cursor.left -= encoded;
  return {.code_bytes = row.codes * Lookup::code_bytes, .lines = line};
}

// All lanes encode a group of splits. The warp's next one is `warps` further.
template <typename Chunk, typename Lookup>
__device__ void encode_group(const EncodeJob& job, const Chunk& chunk, const Lookup& lookup,
                             std::uint32_t group, std::uint32_t warps) {
  const std::uint32_t lane = threadIdx.x % 32;
  Cursor cursor = cursor_of_lane(job, group);
  auto* to = reinterpret_cast<std::uint32_t*>(job.chunks + group * job.group_bytes) + lane;
  std::uint32_t code_bytes = 0;
  std::uint32_t chunk_count = 0;
  while (__any_sync(all_lanes, cursor.left != 0)) {
    const std::uint32_t first = chunk.load(job.parts.cut, cursor) * 8;
    prefetch_next_row<Chunk::row_bytes>(job, cursor, warps);
    const EncodedRow row = encode_row(chunk, lookup, first, cursor, to + line_words);
    *to = row.code_bytes;
    to += std::size_t{1 + row.lines} * line_words;
    code_bytes += row.code_bytes;
    ++chunk_count;
  }
  if (cursor.exists) job.parts.splits_of(cursor.block)[cursor.split] = code_bytes;
  if (lane == 0) job.chunk_counts[group] = chunk_count;
}

// The first group behind those that share the table of `group`.
__device__ inline std::uint64_t end_of_table(const EncodeJob& job, std::uint32_t group) {
  const std::uint64_t groups_per_table = std::uint64_t{job.groups_per_block} * job.parts.blocks_per_table;
  return (group / groups_per_table + 1) * groups_per_table;
}

// All threads of a block: brings the lookup tables with that number to shared memory.
template <typename Tables>
__device__ void load_tables_to_shared(const EncodeJob& job, std::uint32_t table, std::uint8_t* shared) {
  static_assert(sizeof(Tables) % unit_bytes == 0);
  const auto* const from = reinterpret_cast<const Unit*>(job.tables + table * sizeof(Tables));
  for (std::uint32_t unit = threadIdx.x; unit < sizeof(Tables) / unit_bytes; unit += blockDim.x) {
    reinterpret_cast<Unit*>(shared)[unit] = from[unit];
  }
}

// All threads of a block, which takes an equal share of all groups: calls use(begin, end, tables) for each
// part of it that has one table, with its lookup tables: at `shared`, or where they are.
template <typename Lookup, typename Use>
__device__ void for_each_table(const EncodeJob& job, std::uint8_t* shared, Use use) {
  using Tables = typename Lookup::Tables;
  const auto share = static_cast<std::uint32_t>((std::uint64_t{job.group_count} * blockIdx.x) / gridDim.x);
  const auto share_end =
      static_cast<std::uint32_t>((std::uint64_t{job.group_count} * (blockIdx.x + 1)) / gridDim.x);
  constexpr std::uint32_t none = 0xffffffff;
  std::uint32_t loaded = none;
  for (std::uint32_t begin = share; begin < share_end;) {
    const std::uint64_t table_end = end_of_table(job, begin);
    const std::uint32_t end = table_end < share_end ? static_cast<std::uint32_t>(table_end) : share_end;
    const std::uint32_t table = job.parts.table_of(begin / job.groups_per_block);
    if constexpr (Lookup::shared_bytes == 0) {
      use(begin, end, reinterpret_cast<const Tables*>(job.tables)[table]);
    } else {
      if (table != loaded) {
        // The tables before may still be in use.
        __syncthreads();
        load_tables_to_shared<Tables>(job, table, shared);
        __syncthreads();
        loaded = table;
      }
      use(begin, end, *reinterpret_cast<const Tables*>(shared));
    }
    begin = end;
  }
}

// The warps of a block take groups in turns. Any number of whole warps with Chunk::shared_bytes each behind
// the tables.
template <typename Chunk, typename Lookup>
__global__ void __launch_bounds__(Chunk::most_warps * 32) encode_groups(EncodeJob job) {
  GSST_SHARED_MEMORY(shared);
  using Tables = typename Lookup::Tables;
  const std::uint32_t warp = threadIdx.x / 32;
  const std::uint32_t warps = blockDim.x / 32;
  const Chunk chunk(shared + Lookup::shared_bytes + warp * Chunk::shared_bytes);
  chunk.clear();
  for_each_table<Lookup>(job, shared, [&](std::uint32_t begin, std::uint32_t end, const Tables& tables) {
    const Lookup lookup(tables);
    for (std::uint32_t group = begin + warp; group < end; group += warps) {
      encode_group(job, chunk, lookup, group, warps);
    }
  });
}

}  // namespace
