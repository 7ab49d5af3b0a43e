#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "stages/gsst/10_wide_encoder/kernel_6_gpu_training.cuh"
#include "stages/gsst/10_wide_encoder/tile_job.cuh"
#include "stages/gsst/10_wide_encoder/tile_tables.hpp"

// Tables of 8-bit codes for format tiles are trained where the input is, the same as
// reference_cpu/train_tiles.cpp makes at level 1 of the same input: the symbols of the thesis's trainer, of
// which classes hold those that are missed the most.
namespace {
namespace training {

// Bytes on which symbols are weighed, at most.
constexpr std::uint32_t weighed_bytes = 512u << 10;
constexpr std::uint32_t weighed_chunks = weighed_bytes / sample_chunk_bytes;
// Of an input that is weighed as a whole, bytes that are parsed by themselves.
constexpr std::uint32_t weighed_piece_bytes = 1024;

// What the kernels leave to each other, in the executor's memory.
struct WeighedTable {
  TrainedTable table;
  // For each symbol the codes that the pieces would take more without it.
  std::uint32_t losses[byte_items];
};

// One thread block of `threads` threads with sizeof(Shared) bytes of shared memory, and a Scratch whose
// pair_counts are zero: the table of all blocks.
__global__ void __launch_bounds__(threads)
    train_symbols(FrameParts parts, Scratch* scratch, WeighedTable* weighed) {
  GSST_SHARED_MEMORY(shared_bytes);
  const TrainedTable& table = train_table(parts, *reinterpret_cast<Shared*>(shared_bytes), *scratch, 0);
  for (std::uint32_t number = threadIdx.x; number < byte_items; number += blockDim.x) {
    weighed->table.symbols[number] = table.symbols[number];
    weighed->table.lengths[number] = table.lengths[number];
    weighed->losses[number] = 0;
  }
  if (threadIdx.x == 0) weighed->table.symbol_count = table.symbol_count;
}

// A warp weighs so many pieces, a piece a lane.
constexpr unsigned weighing_threads = 32;
constexpr std::uint32_t weighing_slots = 512;

// Shared memory of a thread block that weighs.
struct WeighingShared {
  std::uint64_t symbols[byte_items];
  std::uint32_t lengths[byte_items];
  std::uint32_t losses[byte_items];
  // For each byte the lengths of the symbols that start with it: bit n for n + 1 bytes.
  std::uint32_t lengths_of_byte[byte_items];
  // The symbols' numbers, and 1, by a hash of their bytes and lengths; 0 in a slot without one.
  std::uint32_t slots[weighing_slots];
};

__device__ inline std::uint32_t weighing_slot(std::uint64_t bytes, std::uint32_t length) {
  return static_cast<std::uint32_t>((bytes * 0x9e3779b97f4a7c15 + length * 0xc2b2ae3d27d4eb4f) >> 55);
}

// Pieces of the input that are weighed.
GSST_HOST_DEVICE inline std::uint32_t weighed_piece_count(std::uint64_t input_bytes) {
  if (input_bytes > weighed_bytes) return weighed_chunks;
  return static_cast<std::uint32_t>(gsst::format::part_size(input_bytes, weighed_piece_bytes));
}

__device__ inline InputPiece weighed_piece(const InputCut& cut, std::uint32_t number) {
  if (cut.input_bytes > weighed_bytes) {
    const std::uint64_t begin = gsst::reference::sample_chunk_begin(number, cut.input_bytes / weighed_chunks,
                                                                    gsst::reference::default_training_seed);
    return {.bytes = cut.input + begin, .size = sample_chunk_bytes};
  }
  const std::uint32_t begin = number * weighed_piece_bytes;
  const auto left = static_cast<std::uint32_t>(cut.input_bytes) - begin;
  return {.bytes = cut.input + begin, .size = left < weighed_piece_bytes ? left : weighed_piece_bytes};
}

// All threads of a block.
__device__ inline void load_symbols(const TrainedTable& table, WeighingShared& shared) {
  for (std::uint32_t slot = threadIdx.x; slot < weighing_slots; slot += blockDim.x) shared.slots[slot] = 0;
  for (std::uint32_t number = threadIdx.x; number < byte_items; number += blockDim.x) {
    shared.symbols[number] = table.symbols[number];
    shared.lengths[number] = table.lengths[number];
    shared.losses[number] = 0;
    shared.lengths_of_byte[number] = 0;
  }
  __syncthreads();
  for (std::uint32_t number = threadIdx.x; number < table.symbol_count; number += blockDim.x) {
    const std::uint64_t symbol = shared.symbols[number];
    const std::uint32_t length = shared.lengths[number];
    atomicOr(&shared.lengths_of_byte[symbol & 0xff], 1u << (length - 1));
    std::uint32_t slot = weighing_slot(symbol, length);
    while (atomicCAS(&shared.slots[slot], 0u, number + 1) != 0) slot = (slot + 1) % weighing_slots;
  }
  __syncthreads();
}

// The number of the symbol that is the first `length` bytes of `word`, or `nothing`.
__device__ inline std::uint32_t find_symbol(const WeighingShared& shared, std::uint64_t word,
                                            std::uint32_t length) {
  const std::uint64_t bytes = low_bytes(word, length);
  for (std::uint32_t slot = weighing_slot(bytes, length);; slot = (slot + 1) % weighing_slots) {
    const std::uint32_t entry = shared.slots[slot];
    if (entry == 0) return nothing;
    if (shared.symbols[entry - 1] == bytes && shared.lengths[entry - 1] == length) return entry - 1;
  }
}

// The lengths of the symbols at the start of `word`, of which `left` bytes are input: bit n for n + 1 bytes.
__device__ inline std::uint32_t lengths_at(const WeighingShared& shared, std::uint64_t word,
                                           std::uint32_t left) {
  const std::uint32_t possible = shared.lengths_of_byte[word & 0xff];
  std::uint32_t lengths = 0;
  for (std::uint32_t length = 1; length <= max_symbol_length && length <= left; ++length) {
    const std::uint32_t bit = 1u << (length - 1);
    if ((possible & bit) != 0 && find_symbol(shared, word, length) != nothing) lengths |= bit;
  }
  return lengths;
}

// The largest of a set of lengths, 0 of none.
__device__ inline std::uint32_t longest_of(std::uint32_t lengths) {
  lengths |= lengths >> 1;
  lengths |= lengths >> 2;
  lengths |= lengths >> 4;
  return static_cast<std::uint32_t>(std::popcount(lengths));
}

// The least codes for the `length` bytes of a symbol without it. `lengths` has eight bits for each byte: the
// lengths of the symbols there.
__device__ inline std::uint32_t cost_of_own_bytes(std::uint64_t lengths, std::uint32_t length) {
  constexpr std::uint32_t literal_codes = 2;
  // Of the bytes behind the one at hand, the next one lowest.
  std::uint64_t costs = 0;
  std::uint32_t cost = 0;
  for (std::uint32_t byte = length; byte-- > 0;) {
    const std::uint32_t longest = byte == 0 ? length - 1 : length - byte;
    const auto found = static_cast<std::uint32_t>(lengths >> (8 * byte)) & ((1u << longest) - 1);
    cost = literal_codes + static_cast<std::uint32_t>(costs & 0xff);
    for (std::uint32_t n = 0; n < longest; ++n) {
      const std::uint32_t with_symbol = 1 + static_cast<std::uint32_t>(costs >> (8 * n) & 0xff);
      if ((found >> n & 1) != 0 && with_symbol < cost) cost = with_symbol;
    }
    costs = costs << 8 | cost;
  }
  return cost;
}

// Follows the greedy parse of a piece and adds up what each symbol saves.
__device__ inline void weigh_piece(WeighingShared& shared, const InputPiece& piece) {
  const auto byte_at = [&](std::uint32_t position) {
    return std::uint64_t{position < piece.size ? piece.bytes[position] : std::uint8_t{0}};
  };
  std::uint64_t word = 0;
  for (std::uint32_t byte = 0; byte < 8; ++byte) word |= byte_at(byte) << (8 * byte);
  for (std::uint32_t position = 0; position < piece.size;) {
    std::uint64_t lengths = 0;
    std::uint32_t length = 1;
    std::uint32_t number = nothing;
    for (std::uint32_t byte = 0; byte < length; ++byte) {
      const std::uint32_t found = lengths_at(shared, word, piece.size - position);
      if (byte == 0 && found != 0) {
        length = longest_of(found);
        number = find_symbol(shared, word, length);
      }
      lengths |= std::uint64_t{found} << (8 * byte);
      word = word >> 8 | byte_at(position + 8) << 56;
      ++position;
    }
    if (number != nothing) atomicAdd(&shared.losses[number], cost_of_own_bytes(lengths, length) - 1);
  }
}

// A piece a thread. Blocks of weighing_threads threads with sizeof(WeighingShared) bytes of shared memory.
__global__ void weigh_symbols(InputCut cut, WeighedTable* weighed) {
  GSST_SHARED_MEMORY(shared_bytes);
  auto& shared = *reinterpret_cast<WeighingShared*>(shared_bytes);
  load_symbols(weighed->table, shared);
  const std::uint32_t piece = blockIdx.x * blockDim.x + threadIdx.x;
  if (piece < weighed_piece_count(cut.input_bytes)) weigh_piece(shared, weighed_piece(cut, piece));
  __syncthreads();
  for (std::uint32_t number = threadIdx.x; number < weighed->table.symbol_count; number += blockDim.x) {
    if (shared.losses[number] != 0) atomicAdd(&weighed->losses[number], shared.losses[number]);
  }
}

constexpr std::uint32_t narrow_codes = 256;
constexpr std::uint32_t length_classes = gsst::format::length_class_count;
constexpr std::uint32_t codes_of_class = narrow_codes / length_classes;
// Halves of literal bytes have the first two classes.
constexpr std::uint32_t classes_of_halves = 2;
constexpr std::uint32_t free_classes = length_classes - classes_of_halves;
constexpr std::uint32_t first_symbol_code = classes_of_halves * codes_of_class;
constexpr unsigned building_threads = narrow_codes;
// A symbol, and the two starts of it that a search passes.
constexpr std::uint32_t most_keys = 3 * narrow_codes;

// Shared memory of the thread block that builds.
struct BuildingShared {
  TileTables<8> tables;
  std::uint64_t key_starts[most_keys];
  std::uint32_t key_bytes[most_keys];
  std::uint32_t key_codes[most_keys];
  std::uint32_t key_hashes[most_keys];
  // Of the trained symbols, by number.
  std::uint32_t weights[byte_items];
  std::uint32_t lengths[byte_items];
  // By length: the numbers of its symbols, heaviest first, and how many they are.
  std::uint16_t heaviest[max_symbol_length + 1][byte_items];
  std::uint32_t symbol_counts[max_symbol_length + 1];
  // By length and number of classes: what the symbols in them weigh; the most that lengths up to this one
  // weigh, and the classes of this one for that.
  std::uint32_t weight_of_classes[max_symbol_length + 1][length_classes];
  std::uint32_t most[max_symbol_length + 1][length_classes];
  std::uint32_t taken[max_symbol_length + 1][length_classes];
  std::uint32_t class_lengths[length_classes];
  // The first class of each length.
  std::uint32_t first_class[max_symbol_length + 1];
  // Where the stored symbols of each class start.
  std::uint32_t stored_begin[length_classes + 1];
  // The keys by group of TileTables.
  std::uint32_t group_sizes[narrow_codes];
  std::uint32_t group_begins[narrow_codes];
  std::uint32_t groups_by_size[narrow_codes];
  std::uint32_t grouped_keys[most_keys];
  std::uint32_t taken_slots[TileTables<8>::slots / 32];
  // TileTables::slots less the least shift that fits; 0 if none does.
  std::uint32_t slots_behind_shift;
  std::uint32_t left_out;
};

// All threads of the block, as the functions below: sorts the symbols of each length by what they weigh.
__device__ inline void sort_symbols(const WeighedTable& weighed, BuildingShared& shared) {
  const std::uint32_t own = threadIdx.x;
  const std::uint32_t count = weighed.table.symbol_count;
  shared.weights[own] = own < count ? 1 + weighed.losses[own] : 0;
  shared.lengths[own] = own < count ? weighed.table.lengths[own] : 0;
  if (own <= max_symbol_length) shared.symbol_counts[own] = 0;
  __syncthreads();
  if (own < count) {
    const std::uint32_t weight = shared.weights[own];
    const std::uint32_t length = shared.lengths[own];
    std::uint32_t rank = 0;
    for (std::uint32_t other = 0; other < count; ++other) {
      const bool is_heavier =
          shared.weights[other] > weight || (shared.weights[other] == weight && other < own);
      if (shared.lengths[other] == length && is_heavier) ++rank;
    }
    shared.heaviest[length][rank] = static_cast<std::uint16_t>(own);
    atomicAdd(&shared.symbol_counts[length], 1u);
  }
  __syncthreads();
}

// Gives the classes to lengths so that the symbols in them weigh the most, as allocate_tile_table() does.
__device__ inline void share_classes(BuildingShared& shared) {
  const std::uint32_t of_length = threadIdx.x / length_classes;
  const std::uint32_t of_classes = threadIdx.x % length_classes;
  if (of_length <= max_symbol_length) {
    std::uint32_t weight = 0;
    for (std::uint32_t i = 0; i < of_classes * codes_of_class && i < shared.symbol_counts[of_length]; ++i) {
      weight += shared.weights[shared.heaviest[of_length][i]];
    }
    shared.weight_of_classes[of_length][of_classes] = weight;
    shared.most[of_length][of_classes] = 0;
    shared.taken[of_length][of_classes] = 0;
  }
  __syncthreads();
  for (std::uint32_t length = 1; length <= max_symbol_length; ++length) {
    const std::uint32_t total = threadIdx.x;
    if (total <= free_classes) {
      for (std::uint32_t here = 0; here <= total; ++here) {
        const std::uint32_t weight =
            shared.most[length - 1][total - here] + shared.weight_of_classes[length][here];
        if (weight <= shared.most[length][total] && here != 0) continue;
        shared.most[length][total] = weight;
        shared.taken[length][total] = here;
      }
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    std::uint32_t counts[max_symbol_length + 1];
    std::uint32_t left = free_classes;
    for (std::uint32_t length = max_symbol_length; length >= 1; --length) {
      counts[length] = shared.taken[length][left];
      left -= counts[length];
    }
    for (std::uint32_t number = 0; number < length_classes; ++number) shared.class_lengths[number] = 0;
    shared.class_lengths[1] = 1;
    std::uint32_t next = classes_of_halves;
    for (std::uint32_t length = 1; length <= max_symbol_length; ++length) {
      shared.first_class[length] = next;
      for (std::uint32_t i = 0; i < counts[length]; ++i) shared.class_lengths[next++] = length;
    }
    std::uint32_t stored = 0;
    for (std::uint32_t number = 0; number < length_classes; ++number) {
      shared.stored_begin[number] = stored;
      if (number >= classes_of_halves) stored += shared.class_lengths[number] * codes_of_class;
    }
    shared.stored_begin[length_classes] = stored;
  }
  __syncthreads();
}

// The table as it is stored, and as the lookup finds its symbols; a code of a class that is not full has the
// byte 0 again and again.
__device__ inline void fill_codes(const WeighedTable& weighed, BuildingShared& shared,
                                  StoredTileTable& stored) {
  const std::uint32_t code = threadIdx.x;
  const std::uint32_t of_class = code / codes_of_class;
  const std::uint32_t length = shared.class_lengths[of_class];
  std::uint64_t symbol = 0;
  if (of_class >= classes_of_halves && length != 0) {
    const std::uint32_t index = code - shared.first_class[length] * codes_of_class;
    if (index < shared.symbol_counts[length]) symbol = weighed.table.symbols[shared.heaviest[length][index]];
    std::uint8_t* const to =
        stored.symbols + shared.stored_begin[of_class] + std::size_t{code % codes_of_class} * length;
    for (std::uint32_t byte = 0; byte < length; ++byte) {
      to[byte] = static_cast<std::uint8_t>(symbol >> (8 * byte));
    }
  }
  shared.tables.symbols[code] = symbol;
  if (code < length_classes) {
    stored.stored_class_lengths[code] = static_cast<std::uint8_t>(shared.class_lengths[code]);
  }
  if (code == 0) {
    std::uint64_t class_lengths = 0;
    for (std::uint32_t number = 0; number < length_classes; ++number) {
      class_lengths |= std::uint64_t{shared.class_lengths[number]} << (4 * number);
    }
    shared.tables.class_lengths = class_lengths;
    stored.class_lengths = class_lengths;
    stored.escape_free = 0;
    stored.symbol_bytes = shared.stored_begin[length_classes];
  }
  __syncthreads();
}

// Length of the symbol of `code`; 0 if it has none.
__device__ inline std::uint32_t length_of_code(const BuildingShared& shared, std::uint32_t code) {
  return code < first_symbol_code ? 0 : shared.class_lengths[code / codes_of_class];
}

// The code of the longest symbol of at most `bytes` bytes that `start` starts with, of two the lower one; 0
// if there is none.
__device__ inline std::uint32_t longest_code(const BuildingShared& shared, std::uint64_t start,
                                             std::uint32_t bytes) {
  std::uint32_t best = 0;
  for (std::uint32_t code = first_symbol_code; code < narrow_codes; ++code) {
    const std::uint32_t length = length_of_code(shared, code);
    // Classes of longer symbols have higher codes.
    if (length == 0 || length > bytes || low_bytes(start, length) != shared.tables.symbols[code]) continue;
    if (best == 0 || length > length_of_code(shared, best)) best = code;
  }
  return best;
}

// The keys of tile_entries(), each once; one that is no key has 0 bytes.
__device__ inline void collect_keys(BuildingShared& shared) {
  const std::uint32_t own = threadIdx.x;
  const std::uint64_t symbol = shared.tables.symbols[own];
  const std::uint32_t length = length_of_code(shared, own);
  const bool is_key = length > 1;
  // As lengths_before() says.
  const std::uint32_t before = length == 4 ? 3 : length > 5 ? 5 : 0;
  const std::uint32_t bytes[3] = {is_key ? length : 0, before, length == 8 ? 7u : 0u};
  for (std::uint32_t i = 0; i < 3; ++i) {
    const std::uint32_t key = i * narrow_codes + own;
    shared.key_bytes[key] = bytes[i];
    shared.key_starts[key] = bytes[i] == 0 ? 0 : low_bytes(symbol, bytes[i]);
    shared.key_codes[key] = bytes[i] == 0 ? 0 : longest_code(shared, shared.key_starts[key], bytes[i]);
  }
  __syncthreads();
  bool is_repeated[3] = {};
  for (std::uint32_t i = 0; i < 3; ++i) {
    const std::uint32_t key = i * narrow_codes + own;
    for (std::uint32_t other = 0; other < key && !is_repeated[i]; ++other) {
      is_repeated[i] = shared.key_bytes[other] == shared.key_bytes[key] &&
                       shared.key_starts[other] == shared.key_starts[key];
    }
  }
  __syncthreads();
  for (std::uint32_t i = 0; i < 3; ++i) {
    if (is_repeated[i]) shared.key_bytes[i * narrow_codes + own] = 0;
  }
  __syncthreads();
}

// Sorts the keys by group and the groups by size, with the tables' multiplier.
__device__ inline void group_keys(BuildingShared& shared) {
  using Tables = TileTables<8>;
  const std::uint32_t own = threadIdx.x;
  shared.group_sizes[own] = 0;
  for (std::uint32_t slot = own; slot < Tables::slots; slot += blockDim.x) shared.tables.entries[slot] = 0;
  if (own < Tables::slots / 32) shared.taken_slots[own] = 0;
  __syncthreads();
  std::uint32_t places[3] = {};
  for (std::uint32_t i = 0; i < 3; ++i) {
    const std::uint32_t key = i * narrow_codes + own;
    if (shared.key_bytes[key] == 0) continue;
    const std::uint64_t start = shared.key_starts[key];
    const std::uint32_t hash =
        tile_hash(static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(start >> 32),
                  shared.key_bytes[key], shared.tables.multiplier);
    shared.key_hashes[key] = hash;
    places[i] = atomicAdd(&shared.group_sizes[Tables::group(hash)], 1u);
  }
  __syncthreads();
  std::uint32_t begin = 0;
  std::uint32_t rank = 0;
  const std::uint32_t size = shared.group_sizes[own];
  for (std::uint32_t other = 0; other < narrow_codes; ++other) {
    const std::uint32_t other_size = shared.group_sizes[other];
    if (other < own) begin += other_size;
    if (other_size > size || (other_size == size && other < own)) ++rank;
  }
  shared.group_begins[own] = begin;
  shared.groups_by_size[rank] = own;
  __syncthreads();
  for (std::uint32_t i = 0; i < 3; ++i) {
    const std::uint32_t key = i * narrow_codes + own;
    if (shared.key_bytes[key] == 0) continue;
    shared.grouped_keys[shared.group_begins[Tables::group(shared.key_hashes[key])] + places[i]] = key;
  }
  __syncthreads();
}

// The slot of a key of a group that is moved by `shift`.
__device__ inline std::uint32_t slot_of_key(const BuildingShared& shared, std::uint32_t grouped,
                                            std::uint32_t shift) {
  return TileTables<8>::slot(shared.key_hashes[shared.grouped_keys[grouped]], shift);
}

// Whether all keys of a group find slots of their own.
__device__ inline bool fits(const BuildingShared& shared, std::uint32_t begin, std::uint32_t end,
                            std::uint32_t shift) {
  for (std::uint32_t own = begin; own < end; ++own) {
    const std::uint32_t slot = slot_of_key(shared, own, shift);
    if ((shared.taken_slots[slot / 32] >> slot % 32 & 1) != 0) return false;
    for (std::uint32_t other = begin; other < own; ++other) {
      if (slot_of_key(shared, other, shift) == slot) return false;
    }
  }
  return true;
}

// Moves each group to the first slots that fit, as place_entries() does: a thread looks at a shift.
__device__ inline void place_groups(BuildingShared& shared) {
  using Tables = TileTables<8>;
  if (threadIdx.x == 0) shared.left_out = 0;
  for (std::uint32_t rank = 0; rank < narrow_codes; ++rank) {
    const std::uint32_t group = shared.groups_by_size[rank];
    const std::uint32_t begin = shared.group_begins[group];
    const std::uint32_t end = begin + shared.group_sizes[group];
    if (threadIdx.x == 0) shared.slots_behind_shift = 0;
    __syncthreads();
    for (std::uint32_t first = 0; first < Tables::slots; first += blockDim.x) {
      const std::uint32_t shift = first + threadIdx.x;
      if (fits(shared, begin, end, shift)) atomicMax(&shared.slots_behind_shift, Tables::slots - shift);
      __syncthreads();
      const bool is_found = shared.slots_behind_shift != 0;
      __syncthreads();
      if (is_found) break;
    }
    const std::uint32_t shift = Tables::slots - shared.slots_behind_shift;
    if (threadIdx.x == 0) {
      shared.tables.shifts[group] = static_cast<std::uint16_t>(shift % Tables::slots);
      if (shift == Tables::slots) ++shared.left_out;
    }
    if (shift != Tables::slots && begin + threadIdx.x < end) {
      const std::uint32_t slot = slot_of_key(shared, begin + threadIdx.x, shift);
      const std::uint32_t key = shared.grouped_keys[begin + threadIdx.x];
      shared.tables.entries[slot] = Tables::entry(shared.key_hashes[key], shared.key_codes[key]);
      atomicOr(&shared.taken_slots[slot / 32], 1u << slot % 32);
    }
    __syncthreads();
  }
}

// As fill_singles() does for a table with halves.
__device__ inline void fill_singles(BuildingShared& shared) {
  constexpr std::uint32_t one_byte = 8u << 8;
  const std::uint32_t own = threadIdx.x;
  shared.tables.singles[own] = static_cast<std::uint16_t>(own >> 4);
  shared.tables.singles[256 + own] = static_cast<std::uint16_t>((16 + (own & 0xf)) | one_byte);
  const std::uint32_t code = longest_code(shared, own, 1);
  if (code != 0) shared.tables.singles[own] = static_cast<std::uint16_t>(code | one_byte);
}

// One thread block of building_threads threads with sizeof(BuildingShared) bytes of shared memory: the table
// and its lookup tables.
__global__ void __launch_bounds__(building_threads)
    build_tile_table(const WeighedTable* weighed, StoredTileTable* stored, TileTables<8>* tables) {
  GSST_SHARED_MEMORY(shared_bytes);
  auto& shared = *reinterpret_cast<BuildingShared*>(shared_bytes);
  sort_symbols(*weighed, shared);
  share_classes(shared);
  fill_codes(*weighed, shared, *stored);
  collect_keys(shared);
  fill_singles(shared);
  for (std::uint32_t attempt = 0; attempt < most_tile_multipliers; ++attempt) {
    if (threadIdx.x == 0) shared.tables.multiplier = tile_multiplier(attempt);
    __syncthreads();
    group_keys(shared);
    place_groups(shared);
    const bool is_complete = shared.left_out == 0;
    __syncthreads();
    if (is_complete) break;
  }
  for (std::uint32_t unit = threadIdx.x; unit < sizeof(TileTables<8>) / unit_bytes; unit += blockDim.x) {
    reinterpret_cast<Unit*>(tables)[unit] = reinterpret_cast<const Unit*>(&shared.tables)[unit];
  }
}

}  // namespace training
}  // namespace
