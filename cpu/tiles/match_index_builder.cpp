#include "cpu/tiles/match_index_builder.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>

#include "common/format/gsst/symbol_table.hpp"

namespace gsst::cpu::tiles {
namespace {

using format::max_symbol_length;
using format::TileTable;

constexpr std::size_t byte_values = 256;

void fill_bytes(const TileTable& table, std::uint32_t first_symbol, MatchIndex& index) {
  for (std::uint32_t byte = 0; byte < byte_values; ++byte) {
    index.bytes[byte] =
        table.code_bits == 8 ? make_step(byte >> 4 | (16 + (byte & 15)) << 8, 1, 2) : make_step(byte, 1, 2);
  }
  if (table.code_bits != 8) return;
  // The lowest of the codes of a byte.
  for (std::uint32_t code = static_cast<std::uint32_t>(table.symbols.size()); code-- > first_symbol;) {
    if (table.length(code) == 1) index.bytes[table.symbols[code]] = make_step(code, 1, 1);
  }
}

// A candidate for a slot where no word is: none of the slot's equals it.
MatchCandidate matches_nothing(std::size_t slot) {
  std::uint64_t word = 0;
  while (match_slot(word) == slot) ++word;
  return {.symbol = word, .step = 0, .shift = 0};
}

// Puts candidates into slots, longest ones first.
class Slots {
public:
  explicit Slots(MatchIndex& index) : index_(index) {
    for (std::size_t slot = 0; slot < match_slots; ++slot) {
      std::fill_n(index.candidates + slot * index.ways, index.ways, matches_nothing(slot));
    }
  }

  void put(const MatchCandidate& candidate) {
    const std::size_t slot = match_slot(candidate.symbol);
    MatchCandidate* const ways = index_.candidates + slot * index_.ways;
    const unsigned left = index_.ways - used_[slot];
    for (unsigned way = left; way < index_.ways; ++way) {
      if (ways[way].symbol == candidate.symbol && ways[way].shift == candidate.shift) return;
    }
    if (left == 0) return;
    ways[left - 1] = candidate;
    ++used_[slot];
  }

private:
  MatchIndex& index_;
  std::array<std::uint8_t, match_slots> used_{};
};

}  // namespace

unsigned match_ways(std::uint32_t code_bits) {
  return code_bits == 8 ? 1 : most_match_ways;
}

void build_match_index(const TileTable& table, MatchIndex& index) {
  if (table.code_bits == 8 && table.escape_free) {
    throw std::invalid_argument("build_match_index: the table has no halves of literal bytes");
  }
  const std::uint32_t first_symbol =
      table.code_bits == 8 ? std::uint32_t{2 * format::length_class_count} : std::uint32_t{byte_values};
  const std::uint32_t code_bytes = table.code_bits == 8 ? 1 : 2;
  const auto code_count = static_cast<std::uint32_t>(table.symbols.size());
  const std::uint32_t class_codes = code_count / format::length_class_count;
  index.ways = match_ways(table.code_bits);
  fill_bytes(table, first_symbol, index);
  for (std::size_t second = 0; second < byte_values; ++second) {
    std::copy_n(index.bytes, byte_values, index.pairs + second * byte_values);
  }
  Slots slots(index);
  for (unsigned length = max_symbol_length; length > 2; --length) {
    for (std::uint32_t code = first_symbol; code < code_count; ++code) {
      if (table.length(code) != length) {
        code |= class_codes - 1;
        continue;
      }
      slots.put({.symbol = table.symbols[code],
                 .step = make_step(code, length, code_bytes),
                 .shift = 64 - 8 * length});
    }
  }
  for (std::uint32_t code = code_count; code-- > first_symbol;) {
    if (table.length(code) == 2) index.pairs[table.symbols[code]] = make_step(code, 2, code_bytes);
  }
}

}  // namespace gsst::cpu::tiles
