#pragma once

#include <cstddef>
#include <cstdint>

#include "stages/gsst/10_wide_encoder/tile_classes.cuh"

// Tables of 8-bit codes for format tiles are made where the input is, the same as
// reference_cpu/train_tiles.cpp makes at level 1 of the same input: of the symbols of the thesis's trainer
// the classes hold those that are missed the most. Here are the lookup tables of such a table, which
// tile_tables.hpp makes on the host.
namespace {
namespace training {

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
  // What stands between its members is copied too.
  auto* const units = reinterpret_cast<Unit*>(&shared.tables);
  constexpr std::uint32_t unit_count = sizeof(TileTables<8>) / unit_bytes;
  for (std::uint32_t unit = threadIdx.x; unit < unit_count; unit += blockDim.x) units[unit] = Unit();
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
  for (std::uint32_t unit = threadIdx.x; unit < unit_count; unit += blockDim.x) {
    reinterpret_cast<Unit*>(tables)[unit] = units[unit];
  }
}

}  // namespace training
}  // namespace
