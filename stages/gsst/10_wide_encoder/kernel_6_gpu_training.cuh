#pragma once

#include <cstddef>
#include <cstdint>

#include "reference_cpu/sample.hpp"
#include "reference_cpu/train.hpp"
#include "stages/gsst/10_wide_encoder/kernel_5_checksums_beside.cuh"

// Tables are trained where the input is: nothing waits for the host. A thread block trains a table, the same
// as reference_cpu/train.cpp does from the same sample: its order of candidates is total, so whoever finds
// them, the same ones are chosen.
namespace {
namespace training {

using gsst::format::max_symbol_count;
using gsst::format::max_symbol_length;
using gsst::reference::sample_bytes;
using gsst::reference::sample_chunk_bytes;

constexpr unsigned threads = 512;
constexpr unsigned generations = 5;
// Items: 0 to 255 are bytes that no symbol covers, 256 and up are symbols.
constexpr std::uint32_t byte_items = 256;
constexpr std::uint32_t most_items = 512;
constexpr std::uint32_t minimum_count = 5;
constexpr std::uint32_t single_byte_weight = 8;
constexpr std::uint32_t most_chunks = sample_bytes / sample_chunk_bytes;
// A sample gives two pairs a byte at most, and a candidate needs minimum_count of them, or is an item.
constexpr std::uint32_t most_candidates = 2 * sample_bytes / minimum_count + most_items;
constexpr std::uint32_t candidate_slots = 8192;
static_assert(most_candidates < candidate_slots);
constexpr std::uint32_t pair_slots = 1024;
constexpr std::uint32_t nothing = 0xffffffff;

// Memory of a thread block that trains, beside its shared memory.
struct Scratch {
  // How often item b follows item a: at a * most_items + b. Zero before and after each generation.
  std::uint32_t pair_counts[most_items * most_items];
  // The pairs that were counted.
  std::uint32_t seen_pairs[2 * sample_bytes];
  // The candidates: bytes and length of the string, and what it gains. A candidate that is out has length 0.
  std::uint64_t bytes[most_candidates];
  std::uint32_t lengths[most_candidates];
  std::uint32_t gains[most_candidates];
};

// Shared memory of a thread block.
struct Shared {
  // The sample; a lookup at its end reads behind it.
  std::uint32_t sample[sample_bytes / 4 + 4];
  // In turns: the match at each position of the sample; the items of each chunk from its first position on;
  // the places of candidates by their strings; the keys of candidates.
  std::uint32_t work[candidate_slots];
  std::uint64_t symbols[byte_items];
  std::uint32_t lengths[byte_items];
  // The generation's symbols by place: of 3 and more bytes by the reference encoder's slots, of 2 by a hash
  // of their bytes, of 1. An entry is the symbol's number; in `pairs` the bytes stand above it.
  std::uint32_t longs[symbol_hash_slots];
  std::uint32_t pairs[pair_slots];
  std::uint32_t singles[256];
  std::uint32_t item_counts[most_items];
  // The best candidate of each of the reference encoder's slots.
  std::uint32_t best_keys[symbol_hash_slots];
  unsigned long long best_bytes[symbol_hash_slots];
  std::uint32_t item_list_sizes[most_chunks];
  // Of the chosen candidates.
  std::uint64_t chosen_bytes[byte_items];
  std::uint32_t chosen_keys[byte_items];
  std::uint32_t symbol_count;
  std::uint32_t seen_count;
  std::uint32_t candidate_count;
  std::uint32_t chosen_count;
  std::uint32_t counter;
};

// An item at a position: its number (9 bits), above it its length - 1.
__device__ inline std::uint32_t make_item(std::uint32_t number, std::uint32_t length) {
  return number | (length - 1) << 9;
}
__device__ inline std::uint32_t number_of(std::uint32_t item) {
  return item & (most_items - 1);
}
__device__ inline std::uint32_t length_of(std::uint32_t item) {
  return (item >> 9) + 1;
}

__device__ inline std::uint64_t low_bytes(std::uint64_t word, std::uint32_t length) {
  return word & (~std::uint64_t{0} >> (64 - 8 * length));
}

__device__ inline std::uint32_t pair_slot(std::uint32_t pair) {
  return pair * std::uint32_t{0x9e3779b1} >> 22;
}

// The sample of a table's input, in shared memory.
struct Sample {
  const std::uint32_t* words;
  std::uint32_t size;
  std::uint32_t chunk_bytes;
  std::uint32_t chunk_count;

  // 8 bytes from `position` on.
  __device__ std::uint64_t at(std::uint32_t position) const {
    const std::uint32_t* const word = words + position / 4;
    const std::uint32_t shift = position % 4 * 8;
    return word_at(word[0], word[1], shift) | std::uint64_t{word_at(word[1], word[2], shift)} << 32;
  }
};

// All threads of a block, as the functions below: what draw_sample() draws from the input of table `table`.
__device__ inline Sample load_sample(const FrameParts& parts, Shared& shared, std::uint32_t table) {
  const InputCut& cut = parts.cut;
  const std::uint64_t most_bytes = cut.block_bytes * parts.blocks_per_table;
  const std::uint64_t begin = table * most_bytes;
  const std::uint64_t left = cut.input_bytes - begin;
  const std::uint64_t bytes = left < most_bytes ? left : most_bytes;
  const std::uint8_t* const input = cut.input + begin;
  const bool whole = bytes <= sample_bytes;
  const Sample sample = {.words = shared.sample,
                         .size = static_cast<std::uint32_t>(whole ? bytes : sample_bytes),
                         .chunk_bytes = static_cast<std::uint32_t>(whole ? bytes : sample_chunk_bytes),
                         .chunk_count = whole ? 1 : most_chunks};
  for (std::uint32_t word = threadIdx.x; word < sample_bytes / 4 + 4; word += blockDim.x) {
    const std::uint32_t position = word * 4;
    std::uint64_t source = position;
    if (!whole) {
      const std::uint32_t chunk = position / sample_chunk_bytes;
      source = gsst::reference::sample_chunk_begin(chunk, bytes / most_chunks,
                                                   gsst::reference::default_training_seed) +
               position % sample_chunk_bytes;
    }
    std::uint32_t value = 0;
    for (std::uint32_t byte = 0; byte < 4 && position + byte < sample.size; ++byte) {
      value |= std::uint32_t{input[source + byte]} << (8 * byte);
    }
    shared.sample[word] = value;
  }
  return sample;
}

__device__ inline void place_symbols(Shared& shared) {
  for (std::uint32_t slot = threadIdx.x; slot < symbol_hash_slots; slot += blockDim.x) {
    shared.longs[slot] = nothing;
    shared.best_keys[slot] = 0;
    shared.best_bytes[slot] = 0;
  }
  for (std::uint32_t slot = threadIdx.x; slot < pair_slots; slot += blockDim.x) shared.pairs[slot] = 0;
  for (std::uint32_t byte = threadIdx.x; byte < 256; byte += blockDim.x) shared.singles[byte] = nothing;
  for (std::uint32_t item = threadIdx.x; item < most_items; item += blockDim.x) shared.item_counts[item] = 0;
  if (threadIdx.x == 0) {
    shared.seen_count = 0;
    shared.candidate_count = 0;
    shared.chosen_count = 0;
  }
  __syncthreads();
  for (std::uint32_t number = threadIdx.x; number < shared.symbol_count; number += blockDim.x) {
    const auto low = static_cast<std::uint32_t>(shared.symbols[number]);
    const std::uint32_t length = shared.lengths[number];
    if (length == 1) shared.singles[low] = number;
    if (length > 2) shared.longs[symbol_hash_slot(low)] = number;
    if (length == 2) {
      const std::uint32_t entry = low << 16 | (number + 1);
      std::uint32_t slot = pair_slot(low);
      while (atomicCAS(&shared.pairs[slot], 0u, entry) != 0) slot = (slot + 1) % pair_slots;
    }
  }
  __syncthreads();
}

// The greedy match at the start of `word`, of which `left` bytes are input.
__device__ inline std::uint32_t find_item(const Shared& shared, std::uint64_t word, std::uint32_t left) {
  const auto low = static_cast<std::uint32_t>(word);
  const std::uint32_t number = shared.longs[symbol_hash_slot(low)];
  if (number != nothing) {
    const std::uint32_t length = shared.lengths[number];
    if (length <= left && low_bytes(word, length) == shared.symbols[number]) {
      return make_item(byte_items + number, length);
    }
  }
  const std::uint32_t pair = low & 0xffff;
  for (std::uint32_t slot = pair_slot(pair); left >= 2; slot = (slot + 1) % pair_slots) {
    const std::uint32_t entry = shared.pairs[slot];
    if (entry == 0) break;
    if (entry >> 16 == pair) return make_item(byte_items + (entry & 0xffff) - 1, 2);
  }
  const std::uint32_t single = shared.singles[low & 0xff];
  return make_item(single == nothing ? low & 0xff : byte_items + single, 1);
}

// Greedy parse: matches at all positions side by side, then a thread a chunk goes from each to the next. It
// leaves the items of a chunk one behind the other, never before the place where it reads.
__device__ inline void parse(Shared& shared, const Sample& sample) {
  auto* const items = reinterpret_cast<std::uint16_t*>(shared.work);
  for (std::uint32_t position = threadIdx.x; position < sample.size; position += blockDim.x) {
    const std::uint32_t left = sample.chunk_bytes - position % sample.chunk_bytes;
    items[position] = static_cast<std::uint16_t>(find_item(shared, sample.at(position), left));
  }
  __syncthreads();
  if (threadIdx.x < sample.chunk_count) {
    const std::uint32_t begin = threadIdx.x * sample.chunk_bytes;
    std::uint32_t count = 0;
    for (std::uint32_t position = 0; position < sample.chunk_bytes; ++count) {
      const std::uint16_t item = items[begin + position];
      items[begin + count] = item;
      position += length_of(item);
    }
    shared.item_list_sizes[threadIdx.x] = count;
  }
  __syncthreads();
}

__device__ inline std::uint64_t symbol_of(const Shared& shared, std::uint32_t number) {
  return number < byte_items ? number : shared.symbols[number - byte_items];
}

__device__ inline void count_pair(Shared& shared, Scratch& scratch, std::uint32_t first,
                                  std::uint32_t second) {
  const std::uint32_t pair = first * most_items + second;
  if (atomicAdd(&scratch.pair_counts[pair], 1u) == 0) {
    scratch.seen_pairs[atomicAdd(&shared.seen_count, 1u)] = pair;
  }
}

// How often items, and in all generations but the last pairs of them, occur.
__device__ inline void count_items(Shared& shared, Scratch& scratch, const Sample& sample, bool with_pairs) {
  const auto* const items = reinterpret_cast<const std::uint16_t*>(shared.work);
  for (std::uint32_t place = threadIdx.x; place < sample.size; place += blockDim.x) {
    const std::uint32_t in_chunk = place % sample.chunk_bytes;
    if (in_chunk >= shared.item_list_sizes[place / sample.chunk_bytes]) continue;
    const std::uint32_t item = number_of(items[place]);
    const bool longer = length_of(items[place]) > 1;
    const auto first_byte = static_cast<std::uint32_t>(symbol_of(shared, item) & 0xff);
    atomicAdd(&shared.item_counts[item], 1u);
    if (longer) atomicAdd(&shared.item_counts[first_byte], 1u);
    if (!with_pairs || in_chunk == 0) continue;
    const std::uint32_t previous = number_of(items[place - 1]);
    count_pair(shared, scratch, previous, item);
    if (longer) count_pair(shared, scratch, previous, first_byte);
  }
  __syncthreads();
}

__device__ inline void add_candidate(Shared& shared, Scratch& scratch, std::uint64_t bytes,
                                     std::uint32_t length, std::uint32_t gain) {
  const std::uint32_t place = atomicAdd(&shared.candidate_count, 1u);
  scratch.bytes[place] = bytes;
  scratch.lengths[place] = length;
  scratch.gains[place] = gain;
}

__device__ inline void collect_candidates(Shared& shared, Scratch& scratch) {
  for (std::uint32_t item = threadIdx.x; item < byte_items + shared.symbol_count; item += blockDim.x) {
    const std::uint32_t count = shared.item_counts[item];
    if (count < minimum_count) continue;
    const std::uint32_t length = item < byte_items ? 1 : shared.lengths[item - byte_items];
    add_candidate(shared, scratch, symbol_of(shared, item), length,
                  count * length * (length == 1 ? single_byte_weight : 1));
  }
  for (std::uint32_t seen = threadIdx.x; seen < shared.seen_count; seen += blockDim.x) {
    const std::uint32_t pair = scratch.seen_pairs[seen];
    const std::uint32_t count = scratch.pair_counts[pair];
    scratch.pair_counts[pair] = 0;
    const std::uint32_t first = pair / most_items;
    const std::uint32_t second = pair % most_items;
    const std::uint32_t first_length = first < byte_items ? 1 : shared.lengths[first - byte_items];
    if (count < minimum_count || first_length == max_symbol_length) continue;
    const std::uint32_t both = first_length + (second < byte_items ? 1 : shared.lengths[second - byte_items]);
    const std::uint32_t length = both < max_symbol_length ? both : max_symbol_length;
    const std::uint64_t bytes = symbol_of(shared, first) | symbol_of(shared, second) << (8 * first_length);
    add_candidate(shared, scratch, low_bytes(bytes, length), length, count * length);
  }
  for (std::uint32_t slot = threadIdx.x; slot < candidate_slots; slot += blockDim.x) shared.work[slot] = 0;
  __syncthreads();
}

// The same string can come from several pairs: the gains add up at one of them.
__device__ inline void merge_candidates(Shared& shared, Scratch& scratch) {
  for (std::uint32_t own = threadIdx.x; own < shared.candidate_count; own += blockDim.x) {
    const std::uint64_t bytes = scratch.bytes[own];
    const std::uint32_t length = scratch.lengths[own];
    auto slot = static_cast<std::uint32_t>((bytes * 0x9e3779b97f4a7c15 + length) >> 51) % candidate_slots;
    while (true) {
      const std::uint32_t other = atomicCAS(&shared.work[slot], 0u, own + 1);
      if (other == 0) break;
      if (scratch.bytes[other - 1] == bytes && scratch.lengths[other - 1] == length) {
        atomicAdd(&scratch.gains[other - 1], scratch.gains[own]);
        scratch.gains[own] = 0;
        break;
      }
      slot = (slot + 1) % candidate_slots;
    }
  }
  __syncthreads();
}

// Sets the candidates' keys: a better one has a larger key, or the same key and smaller bytes; 0 is none. Of
// symbols of 3 and more bytes only the best in each slot of the reference encoder has a key.
__device__ inline void make_keys(Shared& shared, const Scratch& scratch) {
  for (std::uint32_t own = threadIdx.x; own < shared.candidate_count; own += blockDim.x) {
    const std::uint32_t length = scratch.lengths[own];
    const std::uint32_t key = scratch.gains[own] == 0 ? 0 : scratch.gains[own] << 4 | length;
    shared.work[own] = key;
    const std::uint32_t slot = symbol_hash_slot(static_cast<std::uint32_t>(scratch.bytes[own]));
    if (key != 0 && length > 2) atomicMax(&shared.best_keys[slot], key);
  }
  __syncthreads();
  for (std::uint32_t own = threadIdx.x; own < shared.candidate_count; own += blockDim.x) {
    if (scratch.lengths[own] <= 2) continue;
    const std::uint32_t slot = symbol_hash_slot(static_cast<std::uint32_t>(scratch.bytes[own]));
    if (shared.work[own] != shared.best_keys[slot]) shared.work[own] = 0;
    if (shared.work[own] != 0)
      atomicMax(&shared.best_bytes[slot], ~static_cast<unsigned long long>(scratch.bytes[own]));
  }
  __syncthreads();
  for (std::uint32_t own = threadIdx.x; own < shared.candidate_count; own += blockDim.x) {
    if (scratch.lengths[own] <= 2 || shared.work[own] == 0) continue;
    const std::uint32_t slot = symbol_hash_slot(static_cast<std::uint32_t>(scratch.bytes[own]));
    if (~static_cast<unsigned long long>(scratch.bytes[own]) != shared.best_bytes[slot]) shared.work[own] = 0;
  }
  __syncthreads();
}

// The number of candidates with a key of at least `least`, which is not 0.
__device__ inline std::uint32_t count_keys(Shared& shared, std::uint32_t least) {
  if (threadIdx.x == 0) shared.counter = 0;
  __syncthreads();
  std::uint32_t count = 0;
  for (std::uint32_t own = threadIdx.x; own < shared.candidate_count; own += blockDim.x) {
    if (shared.work[own] >= least) ++count;
  }
  // One for each warp: those of all threads would wait for each other.
  const std::uint32_t before = sum_before(count);
  if (threadIdx.x % 32 == 31) atomicAdd(&shared.counter, before + count);
  __syncthreads();
  const std::uint32_t total = shared.counter;
  __syncthreads();
  return total;
}

__device__ inline void choose(Shared& shared, std::uint32_t key, std::uint64_t bytes) {
  const std::uint32_t place = atomicAdd(&shared.chosen_count, 1u);
  shared.chosen_keys[place] = key;
  shared.chosen_bytes[place] = bytes;
}

// The best candidates become the symbols of the next generation, the best one first.
__device__ inline void choose_symbols(Shared& shared, const Scratch& scratch) {
  constexpr unsigned key_bits = 28;
  // The largest key that enough candidates reach.
  std::uint32_t limit = 0;
  if (count_keys(shared, 1) > max_symbol_count) {
    for (unsigned bit = key_bits; bit-- > 0;) {
      const std::uint32_t larger = limit | 1u << bit;
      if (count_keys(shared, larger) >= max_symbol_count) limit = larger;
    }
  }
  const std::uint32_t better = limit == 0 ? 0 : count_keys(shared, limit + 1);
  for (std::uint32_t own = threadIdx.x; own < shared.candidate_count; own += blockDim.x) {
    const std::uint32_t key = shared.work[own];
    if (key > limit) choose(shared, key, scratch.bytes[own]);
    if (key == 0 || key != limit) continue;
    std::uint32_t rank = better;
    for (std::uint32_t other = 0; other < shared.candidate_count; ++other) {
      if (shared.work[other] == limit && scratch.bytes[other] < scratch.bytes[own]) ++rank;
    }
    if (rank < max_symbol_count) choose(shared, key, scratch.bytes[own]);
  }
  __syncthreads();
  for (std::uint32_t own = threadIdx.x; own < shared.chosen_count; own += blockDim.x) {
    const std::uint32_t key = shared.chosen_keys[own];
    const std::uint64_t bytes = shared.chosen_bytes[own];
    std::uint32_t rank = 0;
    for (std::uint32_t other = 0; other < shared.chosen_count; ++other) {
      const std::uint32_t other_key = shared.chosen_keys[other];
      if (other_key > key || (other_key == key && shared.chosen_bytes[other] < bytes)) ++rank;
    }
    shared.symbols[rank] = bytes;
    shared.lengths[rank] = key & 0xf;
  }
  if (threadIdx.x == 0) shared.symbol_count = shared.chosen_count;
  __syncthreads();
}

// Two-byte symbols that start no longer one.
constexpr std::uint32_t plain_pair_class = 4;

// What table_of() orders codes by: length, those of one byte last; of the two-byte symbols those that start
// no longer one first.
__device__ inline std::uint32_t class_of(const Shared& shared, std::uint32_t number) {
  const std::uint32_t length = shared.lengths[number];
  if (length == 1) return 2 * max_symbol_length + 1;
  if (length > 2) return 2 * length;
  for (std::uint32_t other = 0; other < shared.symbol_count; ++other) {
    if (shared.lengths[other] > 2 && (shared.symbols[other] & 0xffff) == shared.symbols[number]) {
      return plain_pair_class + 1;
    }
  }
  return plain_pair_class;
}

// A trained table in the order of its codes.
struct TrainedTable {
  std::uint64_t symbols[byte_items];
  std::uint8_t lengths[byte_items];
  std::uint32_t symbol_count;
  // Two-byte symbols that start no longer one.
  std::uint32_t suffix_limit;
};

__device__ inline void order_symbols(Shared& shared, TrainedTable& table) {
  // The counts are not needed any longer.
  std::uint32_t* const classes = shared.item_counts;
  for (std::uint32_t number = threadIdx.x; number < shared.symbol_count; number += blockDim.x) {
    classes[number] = class_of(shared, number);
  }
  if (threadIdx.x == 0) {
    table.symbol_count = shared.symbol_count;
    shared.counter = 0;
  }
  __syncthreads();
  for (std::uint32_t number = threadIdx.x; number < shared.symbol_count; number += blockDim.x) {
    std::uint32_t code = 0;
    for (std::uint32_t other = 0; other < shared.symbol_count; ++other) {
      if (classes[other] < classes[number] || (classes[other] == classes[number] && other < number)) ++code;
    }
    table.symbols[code] = shared.symbols[number];
    table.lengths[code] = static_cast<std::uint8_t>(shared.lengths[number]);
    if (classes[number] == plain_pair_class) atomicAdd(&shared.counter, 1u);
  }
  __syncthreads();
  if (threadIdx.x == 0) table.suffix_limit = shared.counter;
  __syncthreads();
}

// A multiplier with which all symbols chosen by `is_wanted(length)` have slots of their own, the first one
// that is tried; 0 if there is none. Each warp tries one at a time, with `Slots` bits at `taken`.
template <unsigned Slots, typename IsWanted>
__device__ std::uint32_t find_multiplier(Shared& shared, const TrainedTable& table, unsigned shift,
                                         std::uint32_t* taken, IsWanted is_wanted) {
  static_assert(Slots % 32 == 0);
  constexpr std::uint32_t words = Slots / 32;
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t warp = threadIdx.x / 32;
  const std::uint32_t warps = blockDim.x / 32;
  std::uint32_t* const own_taken = taken + std::size_t{warp} * words;
  // How far from the last try the first good one is.
  if (threadIdx.x == 0) shared.counter = 0;
  __syncthreads();
  for (std::uint32_t first = 0; first < most_multiplier_tries; first += warps) {
    const std::uint32_t attempt = first + warp;
    const std::uint32_t multiplier = multiplier_of_try(attempt, 32 - shift) << shift;
    for (std::uint32_t word = lane; word < words; word += 32) own_taken[word] = 0;
    __syncwarp();
    bool collides = false;
    for (std::uint32_t begin = 0; begin < table.symbol_count && !collides; begin += 32) {
      const std::uint32_t code = begin + lane;
      bool own_collides = false;
      if (code < table.symbol_count && is_wanted(table.lengths[code])) {
        const std::uint32_t slot =
            slot_of_product<Slots>(static_cast<std::uint32_t>(table.symbols[code]) * multiplier);
        const std::uint32_t bit = 1u << slot % 32;
        own_collides = (atomicOr(&own_taken[slot / 32], bit) & bit) != 0;
      }
      collides = __any_sync(all_lanes, own_collides) != 0;
    }
    __syncwarp();
    if (!collides && lane == 0) atomicMax(&shared.counter, most_multiplier_tries - attempt);
    __syncthreads();
    const std::uint32_t found = shared.counter;
    __syncthreads();
    if (found != 0) return multiplier_of_try(most_multiplier_tries - found, 32 - shift) << shift;
  }
  // not covered: a sample with 200 long symbols, and 65,536 tries, which take the CPU executor minutes.
  return 0;
}

// Makes the lookup tables, in shared memory, and copies them to `to`.
__device__ inline void build_lookup_tables(Shared& shared, const TrainedTable& table, SmallTables* built,
                                           std::uint32_t* taken, SmallTables* to) {
  const std::uint32_t long_multiplier = find_multiplier<small_entries>(
      shared, table, 8, taken, [](std::uint32_t length) { return length > 2; });
  const std::uint32_t pair_multiplier = find_multiplier<pair_entries>(
      shared, table, 16, taken, [](std::uint32_t length) { return length == 2; });
  for (std::uint32_t slot = threadIdx.x; slot < small_entries; slot += blockDim.x) {
    built->hash.entries[slot] = no_small_entry;
  }
  for (std::uint32_t slot = threadIdx.x; slot < pair_entries; slot += blockDim.x) {
    built->pairs[slot] = no_pair_entry(slot);
  }
  for (std::uint32_t byte = threadIdx.x; byte < 256; byte += blockDim.x) {
    built->singles[byte] = single_entry(gsst::format::escape_code);
    built->singles[256 + byte] = escaped_byte_entry(byte);
  }
  __syncthreads();
  // One behind the other: where there is no good multiplier, the first of two symbols gets the slot.
  if (threadIdx.x == 0) {
    built->constants = KernelConstants();
    built->hash.multiplier = long_multiplier == 0 ? multiplier_of_try(0, 24) << 8 : long_multiplier;
    built->pair_multiplier = pair_multiplier == 0 ? multiplier_of_try(0, 16) << 16 : pair_multiplier;
    for (std::uint32_t code = 0; code < table.symbol_count; ++code) {
      const std::uint64_t symbol = table.symbols[code];
      if (table.lengths[code] > 2) insert_long(built->hash, symbol, table.lengths[code], code);
      if (table.lengths[code] == 2) insert_pair(*built, static_cast<std::uint32_t>(symbol), code);
      if (table.lengths[code] == 1) built->singles[symbol] = single_entry(code);
    }
  }
  __syncthreads();
  for (std::uint32_t unit = threadIdx.x; unit < sizeof(SmallTables) / unit_bytes; unit += blockDim.x) {
    reinterpret_cast<Unit*>(to)[unit] = reinterpret_cast<const Unit*>(built)[unit];
  }
}

// All threads of a block, `threads` of them: trains table `number`. `scratch` has pair_counts of zero, then
// and later. The table is part of `shared`; of the rest sample and work are free then.
__device__ inline TrainedTable& train_table(const FrameParts& parts, Shared& shared, Scratch& scratch,
                                            std::uint32_t number) {
  // What was here before is still being copied.
  __syncthreads();
  if (threadIdx.x == 0) shared.symbol_count = 0;
  const Sample sample = load_sample(parts, shared, number);
  __syncthreads();
  for (unsigned generation = 0; generation < generations; ++generation) {
    place_symbols(shared);
    parse(shared, sample);
    // The last generation only weighs the symbols that are there.
    count_items(shared, scratch, sample, generation + 1 < generations);
    collect_candidates(shared, scratch);
    merge_candidates(shared, scratch);
    make_keys(shared, scratch);
    choose_symbols(shared, scratch);
  }
  auto& table = *reinterpret_cast<TrainedTable*>(shared.best_bytes);
  static_assert(sizeof(TrainedTable) <= sizeof shared.best_bytes);
  order_symbols(shared, table);
  return table;
}

// Trains `table_count` tables. Any number of blocks of `threads` threads, each with sizeof(Shared) bytes of
// shared memory and a Scratch whose pair_counts are zero.
__global__ void __launch_bounds__(threads)
    train_tables(EncodeJob job, Scratch* scratches, std::uint32_t table_count) {
  GSST_SHARED_MEMORY(shared_bytes);
  auto& shared = *reinterpret_cast<Shared*>(shared_bytes);
  Scratch& scratch = scratches[blockIdx.x];
  for (std::uint32_t number = blockIdx.x; number < table_count; number += gridDim.x) {
    const TrainedTable& table = train_table(job.parts, shared, scratch, number);
    constexpr std::uint32_t taken_bytes = threads / 32 * pair_entries / 8;
    static_assert(sizeof(SmallTables) + taken_bytes <= sizeof shared.sample + sizeof shared.work);
    auto* const built = reinterpret_cast<SmallTables*>(shared_bytes);
    auto* const taken = reinterpret_cast<std::uint32_t*>(shared_bytes + sizeof(SmallTables));
    build_lookup_tables(shared, table, built, taken, reinterpret_cast<SmallTables*>(job.tables) + number);
    if (threadIdx.x == 0) {
      job.parts.table_of_group[number] = number;
      StoredTable& stored = job.parts.stored_tables[number];
      stored.size = gsst::format::store_symbols(table.symbol_count, table.symbols, table.lengths,
                                                table.suffix_limit, stored.bytes);
    }
  }
}

}  // namespace training
}  // namespace
