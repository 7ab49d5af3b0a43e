#include "reference_cpu/symbol_matcher.hpp"

#include <bit>

static_assert(std::endian::native == std::endian::little, "words are read in the order of the bytes");

namespace gsst::reference {
namespace {

const SymbolMatcher::Match escape_match(format::escape_code, 1, 1);

}  // namespace

SymbolMatcher::SymbolMatcher() : pairs_(std::size_t{1} << 16, escape_match) {
  // An empty slot looks at one byte and compares it with a value that no byte has.
  slots_.fill({.symbol = 0x100, .unused_bits = 56, .match = escape_match});
  singles_.fill(escape_match);
}

bool SymbolMatcher::is_free(std::uint64_t symbol, unsigned length) const {
  if (length == 1) return singles_[symbol].is_escape();
  if (length == 2) return pairs_[symbol].length() != 2;
  return slots_[slot_index(symbol)].match.is_escape();
}

bool SymbolMatcher::insert(std::uint64_t symbol, unsigned length, std::uint8_t code) {
  if (!is_free(symbol, length)) return false;
  const Match match(code, length, 0);
  if (length == 1) {
    singles_[symbol] = match;
    for (std::size_t second = 0; second < 256; ++second) {
      Match& pair = pairs_[symbol | second << 8];
      if (pair.length() != 2) pair = match;
    }
  } else if (length == 2) {
    pairs_[symbol] = match;
  } else {
    slots_[slot_index(symbol)] = {.symbol = symbol, .unused_bits = 64 - 8 * length, .match = match};
  }
  return true;
}

}  // namespace gsst::reference
