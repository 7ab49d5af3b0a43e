#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "common/format/gsst/symbol_table.hpp"
#include "common/format/host_device.hpp"
#include "reference_cpu/symbol_hash.hpp"

// The lookup tables of the encoding kernels, built on the host from a symbol table. They find what the
// reference encoder finds: of the symbols of 3 to 8 bytes that share one of its hash slots only the first.
namespace {

using gsst::format::SymbolTable;
using gsst::reference::symbol_hash_slot;
using gsst::reference::symbol_hash_slots;

// Step 1: 16-byte hash entries and 65,536 pairs of two bytes each.
struct alignas(16) LargeTables {
  struct alignas(16) Entry {
    std::uint32_t low;
    std::uint32_t high;
    std::uint32_t code;
    // The symbol's length in bits; 0 in a slot without one.
    std::uint32_t bits;
  };
  Entry entries[symbol_hash_slots];
  // Code, and above it the length in bits, of the symbol of 1 or 2 bytes at the next two bytes, the first one
  // lowest. An escape has length 0.
  std::uint16_t pairs[65536];
  // Codes of the symbols of 1 byte.
  std::uint8_t singles[256];
};

constexpr unsigned small_entries = 1u << 11;

// Hash entries of 8 bytes. The slot is the highest 11 of the 24 bits of the product of a symbol's first three
// bytes and an odd number. As that number can be divided by, slot and the lowest 13 bits of the three bytes
// tell them: the entry keeps these 13 bits and the rest of the symbol.
struct SmallEntries {
  // The odd number, times 256: the product of the next four bytes and it has the 24 bits at its top.
  std::uint32_t multiplier;
  // From the lowest bit: bits 0 to 12 of the symbol, 8 - length (3 bits), code (8), bytes 3 to 7 of the
  // symbol.
  std::uint64_t entries[small_entries];
};
// Of an entry's lower half, what is compared with the input.
constexpr std::uint32_t small_entry_symbol = 0xff001fff;
// Symbols of 3 bytes have so many; a slot without a symbol has more.
constexpr std::uint32_t most_unused_bits = 40;
constexpr std::uint64_t no_small_entry = 7u << 13;
// Where entries of 4 and of 8 bytes have their code.
constexpr unsigned code_bit = 16;

// Steps 2 and 3: 8-byte hash entries, 65,536 pairs of one byte each.
struct alignas(16) MediumTables {
  SmallEntries hash;
  // Codes of two-byte symbols are smaller than this, all others are not.
  std::uint32_t pair_codes;
  // The code of the symbol of 1 or 2 bytes at the next two bytes, the first one lowest.
  std::uint8_t pairs[65536];
  std::uint8_t singles[256];
};

// Not a power of two: the lowest bits of the slot, which say the bank of shared memory, then depend on all
// bits of the product. Otherwise they would be bits of the middle, where the second byte has hardly a part:
// pairs that begin alike would wait for each other.
constexpr unsigned pair_entries = 31 * 128;

// The slot of a product: its share of 2^32, in slots.
template <unsigned Slots>
GSST_HOST_DEVICE std::uint32_t slot_of_product(std::uint32_t product) {
  return static_cast<std::uint32_t>(std::uint64_t{product} * Slots >> 32);
}

// What is the same in all tables, but must not be known when the kernel is compiled: shifted_by_product().
struct KernelConstants {
  std::uint32_t slots = small_entries;
  std::uint32_t pair_slots = pair_entries;
  std::uint32_t bits_factor = 1u << 8;
  std::uint32_t unused_factor = 1u << 22;
  std::uint32_t pair_bytes = 0xffff;
};

// Step 4: two-byte symbols are hashed too.
struct alignas(16) SmallTables {
  SmallEntries hash;
  // An odd number, times 65,536: the slot is the share of 2^32 that the product of the next two bytes and it
  // is.
  std::uint32_t pair_multiplier;
  KernelConstants constants;
  // From the lowest bit: the two bytes, code (8 bits), length in bits (8).
  std::uint32_t pairs[pair_entries];
  // Code and length of the symbol of 1 byte, as in `pairs`; an escape has length 0. Behind them the bytes
  // themselves, which stand behind an escape.
  std::uint32_t singles[2 * 256];
};

// The symbols that the reference encoder uses, of two bytes or of more, with their codes.
struct UsedSymbol {
  std::uint64_t symbol;
  unsigned length;
  std::uint32_t code;
};

inline std::vector<UsedSymbol> used_long_symbols(const SymbolTable& table) {
  std::vector<UsedSymbol> used;
  std::bitset<symbol_hash_slots> taken;
  for (unsigned code = 0; code < table.symbol_count; ++code) {
    if (table.lengths[code] < 3) continue;
    const std::uint32_t slot = symbol_hash_slot(static_cast<std::uint32_t>(table.symbols[code]));
    if (taken[slot]) continue;
    taken[slot] = true;
    used.push_back({.symbol = table.symbols[code], .length = table.lengths[code], .code = code});
  }
  return used;
}

inline std::vector<UsedSymbol> used_pairs(const SymbolTable& table) {
  std::vector<UsedSymbol> used;
  for (unsigned code = 0; code < table.symbol_count; ++code) {
    const std::uint64_t symbol = table.symbols[code];
    const auto is_same = [symbol](const UsedSymbol& other) { return other.symbol == symbol; };
    if (table.lengths[code] != 2 || std::any_of(used.begin(), used.end(), is_same)) continue;
    used.push_back({.symbol = symbol, .length = 2, .code = code});
  }
  return used;
}

inline void fill_singles(const SymbolTable& table, std::uint8_t* singles) {
  std::fill_n(singles, 256, gsst::format::escape_code);
  for (unsigned code = table.symbol_count; code-- > 0;) {
    if (table.lengths[code] == 1) singles[table.symbols[code]] = static_cast<std::uint8_t>(code);
  }
}

// A slot without a pair: the entry of one that belongs elsewhere.
GSST_HOST_DEVICE inline std::uint32_t no_pair_entry(std::uint32_t slot) {
  return slot == 0 ? 0x8000 : 0;
}

GSST_HOST_DEVICE inline std::uint32_t single_entry(std::uint32_t code) {
  return code << code_bit | (code == gsst::format::escape_code ? 0 : 8u << 24);
}

GSST_HOST_DEVICE inline std::uint32_t escaped_byte_entry(std::uint32_t byte) {
  return byte << code_bit | 8u << 24;
}

// Symbols whose slot is taken are left out, here and below.
GSST_HOST_DEVICE inline void insert_long(SmallEntries& hash, std::uint64_t symbol, unsigned length,
                                         std::uint32_t code) {
  const std::uint32_t product = static_cast<std::uint32_t>(symbol) * hash.multiplier;
  std::uint64_t& entry = hash.entries[slot_of_product<small_entries>(product)];
  if (entry != no_small_entry) return;
  entry = (symbol & small_entry_symbol) | std::uint64_t{8 - length} << 13 | std::uint64_t{code} << code_bit |
          symbol >> 32 << 32;
}

GSST_HOST_DEVICE inline void insert_pair(SmallTables& tables, std::uint32_t symbol, std::uint32_t code) {
  const std::uint32_t product = symbol * tables.pair_multiplier;
  const std::uint32_t slot = slot_of_product<pair_entries>(product);
  if (tables.pairs[slot] != no_pair_entry(slot)) return;
  tables.pairs[slot] = symbol | code << code_bit | 16u << 24;
}

// 190 symbols in 2048 slots need 7000 tries on average, 255 need 8 million: the last few may go without.
constexpr std::uint32_t most_multiplier_tries = 1u << 16;

// The multiplier of a try, odd and below 2^bits.
GSST_HOST_DEVICE inline std::uint32_t multiplier_of_try(std::uint32_t attempt, unsigned bits) {
  return (attempt + 1) * std::uint32_t{0x9e3779b1} >> (32 - bits) | 1;
}

// A multiplier for which symbols have slots of their own: as many as possible, where no try gives all of them
// one. `shift` is 32 less the bits of the product that matter.
template <unsigned Slots>
std::uint32_t find_multiplier(const std::vector<UsedSymbol>& symbols, unsigned shift) {
  std::uint32_t best = 1;
  std::size_t most_placed = 0;
  for (std::uint32_t attempt = 0; attempt < most_multiplier_tries; ++attempt) {
    const std::uint32_t multiplier = multiplier_of_try(attempt, 32 - shift);
    std::bitset<Slots> taken;
    std::size_t placed = 0;
    for (const UsedSymbol& symbol : symbols) {
      const std::uint32_t product = static_cast<std::uint32_t>(symbol.symbol) * (multiplier << shift);
      const std::uint32_t slot = slot_of_product<Slots>(product);
      if (taken[slot]) break;
      taken[slot] = true;
      ++placed;
    }
    if (placed > most_placed || attempt == 0) {
      best = multiplier;
      most_placed = placed;
    }
    if (placed == symbols.size()) break;
  }
  return best << shift;
}

inline void fill_small_entries(const SymbolTable& table, SmallEntries& hash) {
  const std::vector<UsedSymbol> symbols = used_long_symbols(table);
  hash.multiplier = find_multiplier<small_entries>(symbols, 8);
  std::fill(std::begin(hash.entries), std::end(hash.entries), no_small_entry);
  for (const UsedSymbol& symbol : symbols) insert_long(hash, symbol.symbol, symbol.length, symbol.code);
}

inline void fill(const SymbolTable& table, LargeTables& tables) {
  fill_singles(table, tables.singles);
  for (const UsedSymbol& symbol : used_long_symbols(table)) {
    tables.entries[symbol_hash_slot(static_cast<std::uint32_t>(symbol.symbol))] = {
        .low = static_cast<std::uint32_t>(symbol.symbol),
        .high = static_cast<std::uint32_t>(symbol.symbol >> 32),
        .code = symbol.code,
        .bits = 8 * symbol.length};
  }
  for (unsigned pair = 0; pair < 65536; ++pair) {
    const std::uint8_t code = tables.singles[pair & 0xff];
    tables.pairs[pair] = static_cast<std::uint16_t>(code == gsst::format::escape_code ? code : code | 8 << 8);
  }
  for (const UsedSymbol& pair : used_pairs(table)) {
    tables.pairs[pair.symbol] = static_cast<std::uint16_t>(pair.code | 16 << 8);
  }
}

inline void fill(const SymbolTable& table, MediumTables& tables) {
  fill_small_entries(table, tables.hash);
  fill_singles(table, tables.singles);
  for (unsigned pair = 0; pair < 65536; ++pair) tables.pairs[pair] = tables.singles[pair & 0xff];
  for (const UsedSymbol& pair : used_pairs(table)) {
    tables.pairs[pair.symbol] = static_cast<std::uint8_t>(pair.code);
  }
  tables.pair_codes = static_cast<std::uint32_t>(
      std::count(table.lengths.begin(), table.lengths.begin() + table.symbol_count, 2));
}

inline void fill(const SymbolTable& table, SmallTables& tables) {
  fill_small_entries(table, tables.hash);
  std::uint8_t singles[256];
  fill_singles(table, singles);
  for (unsigned byte = 0; byte < 256; ++byte) {
    tables.singles[byte] = single_entry(singles[byte]);
    tables.singles[256 + byte] = escaped_byte_entry(byte);
  }
  for (unsigned slot = 0; slot < pair_entries; ++slot) tables.pairs[slot] = no_pair_entry(slot);
  const std::vector<UsedSymbol> pairs = used_pairs(table);
  tables.pair_multiplier = find_multiplier<pair_entries>(pairs, 16);
  for (const UsedSymbol& pair : pairs)
    insert_pair(tables, static_cast<std::uint32_t>(pair.symbol), pair.code);
}

}  // namespace
