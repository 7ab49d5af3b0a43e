#include "reference_cpu/tile_matcher.hpp"

#include <algorithm>
#include <cstddef>

#include "reference_cpu/symbol_matcher.hpp"

namespace gsst::reference {

namespace {

constexpr std::size_t pair_count = std::size_t{1} << 16;

}  // namespace

TileMatcher::TileMatcher(const format::TileTable& table) : pair_begins_(pair_count + 1) {
  for (std::uint32_t code = first_tile_symbol(table); code < table.symbols.size(); ++code) {
    const unsigned length = table.length(code);
    const std::uint64_t symbol = table.symbols[code];
    const TileMatch match{.code = code, .length = length};
    if (length == 0) continue;
    if (length == 1) {
      // The lowest code of a symbol: what fills up a class has the byte 0 again and again.
      if (!single_bytes_[symbol]) single_bytes_[symbol] = match;
      continue;
    }
    candidates_.push_back({.symbol = symbol, .mask = ~std::uint64_t{0} >> (64 - 8 * length), .match = match});
    ++pair_begins_[(symbol & 0xffff) + 1];
  }
  std::stable_sort(candidates_.begin(), candidates_.end(), [](const Candidate& left, const Candidate& right) {
    const std::uint64_t left_pair = left.symbol & 0xffff;
    const std::uint64_t right_pair = right.symbol & 0xffff;
    if (left_pair != right_pair) return left_pair < right_pair;
    return left.match.length > right.match.length;
  });
  for (std::size_t pair = 0; pair < pair_count; ++pair) pair_begins_[pair + 1] += pair_begins_[pair];
}

std::optional<TileMatch> TileMatcher::longest_match(std::span<const std::uint8_t> input) const {
  const std::uint64_t word =
      input.size() >= 8 ? load_word(input.data()) : load_partial_word(input.data(), input.size());
  const std::size_t pair = word & 0xffff;
  for (std::uint32_t i = pair_begins_[pair]; i < pair_begins_[pair + 1]; ++i) {
    const Candidate& candidate = candidates_[i];
    if ((word & candidate.mask) == candidate.symbol && candidate.match.length <= input.size()) {
      return candidate.match;
    }
  }
  return single_bytes_[input[0]];
}

}  // namespace gsst::reference
