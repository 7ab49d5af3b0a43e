#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "common/format/gsst/symbol_table.hpp"
#include "common/format/host_device.hpp"
#include "reference_cpu/symbol_hash.hpp"

// The lookup tables of the encoding kernels, built on the host from a symbol table. All of them find the
// longest symbol at a position, or say that its first byte is to be escaped.
namespace {

using gsst::format::SymbolTable;
using gsst::reference::symbol_hash_slot;
using gsst::reference::symbol_hash_slots;

// What stands at a position: the code in the lowest 8 bits, the symbol's length in bytes above. An escape has
// the escape's code and the length of the one byte that it stands for.
using Match = std::uint32_t;

GSST_HOST_DEVICE constexpr Match make_match(std::uint32_t code, std::uint32_t length) {
  return code | length << 8;
}
GSST_HOST_DEVICE constexpr std::uint8_t code_of(Match match) {
  return static_cast<std::uint8_t>(match);
}
GSST_HOST_DEVICE constexpr std::uint32_t length_of(Match match) {
  return match >> 8;
}
constexpr Match escape_match = make_match(gsst::format::escape_code, 1);
// Longer than what is left of any input: it never fits.
constexpr Match no_match = make_match(gsst::format::escape_code, 15);

// FSST's own tables: 16 KB and 128 KB.
struct FsstTables {
  struct Symbol {
    std::uint64_t bytes;
    Match match;
    std::uint32_t padding;
  };
  // Symbols of 3 to 8 bytes, by the hash of the first three.
  Symbol hash[symbol_hash_slots];
  // Symbols of 1 and 2 bytes, by the next two bytes, the first one lowest.
  std::uint16_t short_codes[65536];
  // Symbols of 1 byte alone: in `short_codes` one of 2 bytes may hide them.
  std::uint16_t byte_codes[256];
};
static_assert(sizeof(FsstTables::Symbol) == 16);

// One entry behind the hash table's indirection: 12 bytes, since nothing in it is aligned to 8 (paper 4.2).
struct HashEntry {
  std::uint32_t low;
  std::uint32_t high;
  Match match;
};
static_assert(sizeof(HashEntry) == 12);

// Two symbol-code pairs in a word: second byte and code + 1 of one pair in the upper half, of another in the
// lower half (paper 4.3.2, Listing 1). A code of 0 is no pair.
using PairWord = std::uint32_t;

constexpr std::uint8_t no_row = 255;

// How large the memory-efficient tables are (paper 4.2, 4.3).
struct CompactShape {
  // X: symbols of 3 and more bytes. 1 to 255.
  std::uint32_t hash_entries;
  // R: different first bytes of two-byte symbols. A multiple of 32, below 255.
  std::uint32_t rows;
  // K: pairs in a row. Even.
  std::uint32_t pairs;

  // Places in the tables' bytes; each is a multiple of 4. The number of a slot's entry, the codes of single
  // bytes and the rows of first bytes take a byte each.
  static constexpr std::uint32_t entry_of_slot = 0;
  static constexpr std::uint32_t singles = symbol_hash_slots;
  static constexpr std::uint32_t row_of_byte = singles + 256;
  static constexpr std::uint32_t entries = row_of_byte + 256;
  GSST_HOST_DEVICE std::uint32_t pair_words() const { return entries + hash_entries * 12; }
  GSST_HOST_DEVICE std::uint32_t bytes() const { return pair_words() + rows * pairs * 2; }
};

inline FsstTables make_fsst_tables(const SymbolTable& table) {
  FsstTables tables{};
  std::fill(std::begin(tables.hash), std::end(tables.hash),
            FsstTables::Symbol{.bytes = 0, .match = no_match, .padding = 0});
  std::fill(std::begin(tables.short_codes), std::end(tables.short_codes),
            static_cast<std::uint16_t>(escape_match));
  std::fill(std::begin(tables.byte_codes), std::end(tables.byte_codes),
            static_cast<std::uint16_t>(escape_match));
  for (unsigned code = 0; code < table.symbol_count; ++code) {
    const std::uint64_t symbol = table.symbols[code];
    const Match match = make_match(code, table.lengths[code]);
    if (table.lengths[code] == 1) {
      if (tables.byte_codes[symbol] == escape_match) {
        tables.byte_codes[symbol] = static_cast<std::uint16_t>(match);
      }
      for (std::uint32_t second = 0; second < 256; ++second) {
        std::uint16_t& entry = tables.short_codes[symbol | second << 8];
        if (entry == escape_match) entry = static_cast<std::uint16_t>(match);
      }
    }
    if (table.lengths[code] == 2) {
      std::uint16_t& entry = tables.short_codes[symbol];
      if (length_of(entry) != 2) entry = static_cast<std::uint16_t>(match);
    }
    if (table.lengths[code] > 2) {
      FsstTables::Symbol& slot = tables.hash[symbol_hash_slot(static_cast<std::uint32_t>(symbol))];
      if (slot.match == no_match) slot = {.bytes = symbol, .match = match, .padding = 0};
    }
  }
  return tables;
}

// The memory-efficient tables of one symbol table while they are filled.
class CompactTables {
public:
  // `bytes` has shape.bytes() bytes.
  CompactTables(const CompactShape& shape, std::span<std::uint8_t> bytes) : shape_(shape), bytes_(bytes) {
    std::fill(bytes.begin(), bytes.end(), std::uint8_t{0});
    std::fill_n(at(CompactShape::singles), 256, gsst::format::escape_code);
    std::fill_n(at(CompactShape::row_of_byte), 256, no_row);
    // Slots without a symbol show entry 0, whose symbol has another slot: it cannot match there.
    store(CompactShape::entries, HashEntry{.low = 0, .high = 0, .match = no_match});
  }

  // A symbol that finds no place is left out.
  void insert(std::uint64_t symbol, unsigned length, std::uint8_t code) {
    if (length == 1) insert_single(static_cast<std::uint8_t>(symbol), code);
    if (length == 2) insert_pair(symbol & 0xff, static_cast<std::uint32_t>(symbol >> 8), code);
    if (length > 2) insert_long(symbol, length, code);
  }

private:
  std::uint8_t* at(std::size_t place) { return bytes_.data() + place; }
  template <typename Value>
  void store(std::size_t place, const Value& value) {
    std::memcpy(at(place), &value, sizeof value);
  }

  void insert_single(std::uint8_t byte, std::uint8_t code) {
    std::uint8_t& single = *at(CompactShape::singles + byte);
    if (single == gsst::format::escape_code) single = code;
  }

  void insert_long(std::uint64_t symbol, unsigned length, std::uint8_t code) {
    const std::uint32_t slot = symbol_hash_slot(static_cast<std::uint32_t>(symbol));
    if (used_slots_[slot] || used_entries_ == shape_.hash_entries) return;
    store(CompactShape::entries + used_entries_ * sizeof(HashEntry),
          HashEntry{.low = static_cast<std::uint32_t>(symbol),
                    .high = static_cast<std::uint32_t>(symbol >> 32),
                    .match = make_match(code, length)});
    used_slots_[slot] = true;
    *at(CompactShape::entry_of_slot + slot) = static_cast<std::uint8_t>(used_entries_++);
  }

  void insert_pair(std::uint64_t first, std::uint32_t second, std::uint8_t code) {
    std::uint8_t& row = *at(CompactShape::row_of_byte + first);
    if (row == no_row) {
      if (used_rows_ == shape_.rows) return;
      row = static_cast<std::uint8_t>(used_rows_++);
    }
    std::uint32_t& used = used_pairs_[first];
    const std::uint32_t word_place = used / 2 * shape_.rows + row;
    for (std::uint32_t pair = 0; pair < used; ++pair) {
      if (second_bytes_[first][pair] == second) return;
    }
    if (used == shape_.pairs) return;
    PairWord word = 0;
    std::uint8_t* const place = at(shape_.pair_words() + word_place * sizeof word);
    std::memcpy(&word, place, sizeof word);
    word |= (second << 8 | (code + 1u)) << (used % 2 == 0 ? 16 : 0);
    std::memcpy(place, &word, sizeof word);
    second_bytes_[first][used++] = static_cast<std::uint8_t>(second);
  }

  CompactShape shape_;
  std::span<std::uint8_t> bytes_;
  std::array<bool, symbol_hash_slots> used_slots_{};
  std::uint32_t used_entries_ = 0;
  std::uint32_t used_rows_ = 0;
  std::array<std::uint32_t, 256> used_pairs_{};
  // The pairs of each row: which rows hold which.
  std::array<std::array<std::uint8_t, 256>, 256> second_bytes_{};
};

inline void make_compact_tables(const SymbolTable& table, const CompactShape& shape,
                                std::span<std::uint8_t> bytes) {
  CompactTables tables(shape, bytes);
  for (unsigned code = 0; code < table.symbol_count; ++code) {
    tables.insert(table.symbols[code], table.lengths[code], static_cast<std::uint8_t>(code));
  }
}

}  // namespace
