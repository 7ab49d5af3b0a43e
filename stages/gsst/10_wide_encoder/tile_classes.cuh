#pragma once

#include <cstddef>
#include <cstdint>

#include "stages/gsst/10_wide_encoder/tile_job.cuh"
#include "stages/gsst/10_wide_encoder/tile_tables.hpp"
#include "stages/gsst/10_wide_encoder/tile_weighing.cuh"

// The symbols of a table for tiles of 8-bit codes: of each length as many as there are classes for, as
// allocate_tile_table() of the reference codec chooses them by what they are worth.
namespace {
namespace training {

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

}  // namespace training
}  // namespace
