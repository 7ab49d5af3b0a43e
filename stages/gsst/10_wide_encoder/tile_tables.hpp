#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "common/format/gsst/tiles.hpp"
#include "common/format/host_device.hpp"
#include "reference_cpu/tile_matcher.hpp"

// The lookup tables for tables with length classes, built on the host. They find the longest symbol, as the
// reference encoder does, by a binary search over its length (Waldvogel et al., Scalable High Speed IP
// Routing Lookups, SIGCOMM 1997): 5 bytes, then 3 or 7, then 2, 4, 6 or 8. An entry says that its bytes are a
// symbol, or that a longer one starts with them, and which is the longest symbol that they start with.
namespace {

using gsst::format::TileTable;

// Bytes of the key of an entry, least one lowest, zero above `bytes`.
struct TileKey {
  std::uint64_t start;
  std::uint32_t bytes;

  auto operator<=>(const TileKey&) const = default;
};

// Numbers that mix the bytes of keys. That of the first four bytes is tried until the keys have slots of
// their own.
constexpr std::uint32_t tile_hash_high = 0x9e3779b1;
constexpr std::uint32_t tile_hash_length = 0x85ebca77;
constexpr std::uint32_t tile_hash_last = 0xc2b2ae3d;

GSST_HOST_DEVICE inline std::uint32_t tile_hash(std::uint32_t low, std::uint32_t high, std::uint32_t bytes,
                                                std::uint32_t multiplier) {
  std::uint32_t hash = low * multiplier + high * tile_hash_high + bytes * tile_hash_length;
  hash ^= hash >> 15;
  return hash * tile_hash_last;
}

constexpr std::uint32_t most_tile_multipliers = 16;

// The multiplier of a try.
GSST_HOST_DEVICE inline std::uint32_t tile_multiplier(std::uint32_t attempt) {
  return (attempt + 1) * std::uint32_t{0x27d4eb2f} | 1;
}

// Tables for codes of `CodeBits` bits.
template <unsigned CodeBits>
struct alignas(16) TileTables {
  // Entries for symbols, and for those that a search for longer ones passes: for each at most two.
  static constexpr std::uint32_t slot_bits = CodeBits + 2;
  static constexpr std::uint32_t slots = 1u << slot_bits;
  static constexpr std::uint32_t shift_bits = CodeBits;
  static constexpr std::uint32_t codes = 1u << CodeBits;
  // Bits of an entry that are its code; those above are the lowest bits of the key's hash.
  static constexpr std::uint32_t entry_code_bits = 12;

  // Of the class of each code, four bits.
  std::uint64_t class_lengths;
  std::uint32_t multiplier;
  // The symbols, least byte lowest.
  std::uint64_t symbols[codes];
  // By bits of a key's hash, how far its slot is moved.
  std::uint16_t shifts[1u << shift_bits];
  std::uint32_t entries[slots];
  // Code, and above it length in bits, of the single byte; 0 bits where it takes two codes. Behind them the
  // second ones. Only for 8 bits: a wider code of a byte is the byte.
  std::uint16_t singles[CodeBits == 8 ? 512 : 8];

  // What moves a slot are bits that the entry keeps: so slot and entry tell the whole hash. By odd numbers,
  // so that a key alone in its group comes to every slot.
  GSST_HOST_DEVICE static std::uint32_t group(std::uint32_t hash) {
    constexpr std::uint32_t kept_bits = 32 - entry_code_bits;
    return hash >> (kept_bits - shift_bits) & ((1u << shift_bits) - 1);
  }
  GSST_HOST_DEVICE static std::uint32_t slot(std::uint32_t hash, std::uint32_t shift) {
    return ((hash >> (32 - slot_bits)) + shift * ((hash & 0xfff) | 1)) % slots;
  }
  GSST_HOST_DEVICE static std::uint32_t entry(std::uint32_t hash, std::uint32_t code) {
    return hash << entry_code_bits | code;
  }
};

// Bytes of the entries that a search for a symbol of `length` bytes passes, and 0.
inline std::array<unsigned, 3> lengths_before(unsigned length) {
  if (length == 4) return {3, 0, 0};
  if (length == 8) return {5, 7, 0};
  return {length > 5 ? 5U : 0U, 0, 0};
}

inline std::uint64_t start_of(std::uint64_t symbol, unsigned bytes) {
  return symbol & ~std::uint64_t{0} >> (64 - 8 * bytes);
}

// The code of the longest symbol that each key starts with.
inline std::map<TileKey, std::uint32_t> tile_entries(const TileTable& table) {
  std::map<TileKey, std::uint32_t> symbols;
  for (std::uint32_t code = gsst::reference::first_tile_symbol(table); code < table.symbols.size(); ++code) {
    // Of two codes the first.
    if (table.length(code) != 0) symbols.insert({{table.symbols[code], table.length(code)}, code});
  }
  std::map<TileKey, std::uint32_t> entries;
  for (const auto& [key, code] : symbols) {
    if (key.bytes == 1) continue;
    entries.insert({key, code});
    for (const unsigned bytes : lengths_before(key.bytes)) {
      if (bytes == 0) continue;
      // A code that does not match is no match.
      std::uint32_t best = 0;
      for (unsigned length = 1; length <= bytes; ++length) {
        const auto shorter = symbols.find({start_of(key.start, length), length});
        if (shorter != symbols.end()) best = shorter->second;
      }
      entries.insert({{start_of(key.start, bytes), bytes}, best});
    }
  }
  return entries;
}

// Gives each key a slot of its own: the keys of a group are moved together, the largest groups first. Returns
// how many of them found no place.
template <unsigned CodeBits>
std::size_t place_entries(const std::map<TileKey, std::uint32_t>& entries, TileTables<CodeBits>& tables) {
  using Tables = TileTables<CodeBits>;
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> groups(std::size_t{1}
                                                                           << Tables::shift_bits);
  for (const auto& [key, code] : entries) {
    const std::uint32_t hash =
        tile_hash(static_cast<std::uint32_t>(key.start), static_cast<std::uint32_t>(key.start >> 32),
                  key.bytes, tables.multiplier);
    groups[Tables::group(hash)].emplace_back(hash, code);
  }
  std::vector<std::uint32_t> order(groups.size());
  for (std::uint32_t group = 0; group < order.size(); ++group) order[group] = group;
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t left, std::uint32_t right) {
    return groups[left].size() > groups[right].size();
  });
  std::vector<bool> taken(Tables::slots, false);
  std::fill_n(tables.entries, Tables::slots, 0);
  std::size_t left_out = 0;
  for (const std::uint32_t group : order) {
    std::uint32_t shift = 0;
    const auto fits = [&] {
      std::vector<std::uint32_t> own;
      for (const auto& [hash, code] : groups[group]) own.push_back(Tables::slot(hash, shift));
      std::sort(own.begin(), own.end());
      return std::adjacent_find(own.begin(), own.end()) == own.end() &&
             std::none_of(own.begin(), own.end(), [&](std::uint32_t slot) { return taken[slot]; });
    };
    while (shift < Tables::slots && !fits()) ++shift;
    tables.shifts[group] = static_cast<std::uint16_t>(shift % Tables::slots);
    if (shift == Tables::slots) {
      ++left_out;
      continue;
    }
    for (const auto& [hash, code] : groups[group]) {
      taken[Tables::slot(hash, shift)] = true;
      tables.entries[Tables::slot(hash, shift)] = Tables::entry(hash, code);
    }
  }
  return left_out;
}

// A byte without symbol is two codes, as an escape is in format splits: its halves, or, where the table has
// none, codes that decode to more than a byte and so give the block away.
inline void fill_singles(const TileTable& table, TileTables<8>& tables) {
  constexpr unsigned byte_bits = 8;
  std::uint32_t any_code = 0;
  while (table.escape_free && any_code + 1 < table.symbols.size() && table.length(any_code) == 0) ++any_code;
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    const std::uint32_t first = table.escape_free ? any_code : byte >> 4;
    const std::uint32_t second = table.escape_free ? any_code : 16 + (byte & 0xf);
    tables.singles[byte] = static_cast<std::uint16_t>(first);
    tables.singles[256 + byte] = static_cast<std::uint16_t>(second | byte_bits << 8);
  }
  for (auto code = static_cast<std::uint32_t>(table.symbols.size());
       code-- > gsst::reference::first_tile_symbol(table);) {
    if (table.length(code) == 1) {
      tables.singles[table.symbols[code]] = static_cast<std::uint16_t>(code | byte_bits << 8);
    }
  }
}

// Where no try gives all keys a slot, a few symbols are not used.
template <unsigned CodeBits>
void fill(const TileTable& table, TileTables<CodeBits>& tables) {
  tables.class_lengths = 0;
  for (std::uint32_t i = 0; i < gsst::format::length_class_count; ++i) {
    tables.class_lengths |= std::uint64_t{table.class_lengths[i]} << (4 * i);
  }
  std::copy(table.symbols.begin(), table.symbols.end(), tables.symbols);
  const std::map<TileKey, std::uint32_t> entries = tile_entries(table);
  for (std::uint32_t attempt = 0; attempt < most_tile_multipliers; ++attempt) {
    tables.multiplier = tile_multiplier(attempt);
    if (place_entries(entries, tables) == 0) break;
  }
  if constexpr (CodeBits == 8) fill_singles(table, tables);
}

}  // namespace
