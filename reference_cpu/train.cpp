#include "reference_cpu/train.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "reference_cpu/candidate.hpp"
#include "reference_cpu/dictionary.hpp"
#include "reference_cpu/sample.hpp"
#include "reference_cpu/symbol.hpp"
#include "reference_cpu/symbol_matcher.hpp"

namespace gsst::reference {
namespace {

using format::max_symbol_count;

constexpr unsigned generations = 5;
constexpr unsigned byte_count = 256;
// Rarer items cost more than they save: their table bytes, and their place.
constexpr std::uint64_t minimum_count = 5;
// A byte without symbol costs two codes, and no longer symbol makes up for it where its neighbours vary.
constexpr unsigned single_byte_weight = 8;

// The table of one generation. Items are what the parse of the sample yields: 0 to 255 stand for a byte that
// no symbol covers, 256 and up for the symbols.
class Generation {
public:
  explicit Generation(std::vector<Symbol> symbols) : symbols_(std::move(symbols)) {
    for (std::size_t i = 0; i < symbols_.size(); ++i) {
      matcher_.insert(symbols_[i].bytes, symbols_[i].length, static_cast<std::uint8_t>(i));
    }
  }

  Symbol symbol(unsigned item) const {
    return item < byte_count ? Symbol{.bytes = item, .length = 1} : symbols_[item - byte_count];
  }
  unsigned item_count() const { return byte_count + static_cast<unsigned>(symbols_.size()); }

  // Calls visit(item, first byte) for each item of the greedy parse of `chunk`.
  template <typename Visit>
  void parse(std::span<const std::uint8_t> chunk, Visit visit) const {
    std::size_t position = 0;
    while (position < chunk.size()) {
      const std::size_t remaining = chunk.size() - position;
      const std::uint8_t* bytes = chunk.data() + position;
      const SymbolMatcher::Match match =
          remaining >= 8 ? matcher_.match(load_word(bytes))
                         : matcher_.match_at_end(load_partial_word(bytes, remaining), remaining);
      visit(match.is_escape() ? unsigned{*bytes} : byte_count + match.code(), *bytes);
      position += match.length();
    }
  }

private:
  std::vector<Symbol> symbols_;
  SymbolMatcher matcher_;
};

// How often each item, and each item after each other one, occurs in the parse of the sample.
class Counts {
public:
  Counts() : pairs_(std::size_t{max_items} * max_items) {}

  void count(unsigned item) { ++items_[item]; }
  void count_pair(unsigned first, unsigned second) {
    const std::uint32_t pair = first * max_items + second;
    if (pairs_[pair]++ == 0) seen_pairs_.push_back(pair);
  }
  // Only what was counted is cleared: 5 generations touch a few thousand of the 262,144 pairs each.
  void clear() {
    items_.fill(0);
    for (const std::uint32_t pair : seen_pairs_) pairs_[pair] = 0;
    seen_pairs_.clear();
  }

  std::uint64_t of(unsigned item) const { return items_[item]; }
  template <typename Visit>
  void for_each_pair(Visit visit) const {
    for (const std::uint32_t pair : seen_pairs_) visit(pair / max_items, pair % max_items, pairs_[pair]);
  }

private:
  static constexpr std::uint32_t max_items = 512;
  static_assert(2 * sample_bytes < 1u << 16);
  std::array<std::uint32_t, max_items> items_{};
  std::vector<std::uint16_t> pairs_;
  std::vector<std::uint32_t> seen_pairs_;
};

// Candidates by symbol: the same symbol can come from several pairs, and its gains add up.
class CandidateSet {
public:
  CandidateSet() : buckets_(bucket_count, empty) {}

  void add(const Symbol& symbol, std::uint64_t gain) {
    std::size_t bucket = (symbol.bytes * 0x9e3779b97f4a7c15 + symbol.length) >> (64 - bucket_bits);
    while (buckets_[bucket] != empty && candidates_[buckets_[bucket]].symbol != symbol) {
      bucket = (bucket + 1) % bucket_count;
    }
    if (buckets_[bucket] == empty) {
      buckets_[bucket] = static_cast<std::uint32_t>(candidates_.size());
      candidates_.push_back({.symbol = symbol, .gain = 0});
    }
    candidates_[buckets_[bucket]].gain += gain;
  }

  std::vector<Candidate> take() {
    std::fill(buckets_.begin(), buckets_.end(), empty);
    return std::exchange(candidates_, {});
  }

private:
  // A sample gives at most two pairs a byte and 511 items: at most half of the buckets fill.
  static constexpr unsigned bucket_bits = 17;
  static constexpr std::size_t bucket_count = std::size_t{1} << bucket_bits;
  static constexpr std::uint32_t empty = 0xffffffff;
  static_assert(2 * sample_bytes + 511 <= bucket_count / 2);
  std::vector<std::uint32_t> buckets_;
  std::vector<Candidate> candidates_;
};

void count_sample(const Generation& generation, std::span<const std::span<const std::uint8_t>> sample,
                  bool with_pairs, Counts& counts) {
  constexpr unsigned none = ~0u;
  for (const auto chunk : sample) {
    unsigned previous = none;
    generation.parse(chunk, [&](unsigned item, std::uint8_t first_byte) {
      counts.count(item);
      const bool longer = generation.symbol(item).length > 1;
      if (longer) counts.count(first_byte);
      if (with_pairs && previous != none) {
        counts.count_pair(previous, item);
        if (longer) counts.count_pair(previous, first_byte);
      }
      previous = item;
    });
  }
}

// The places that symbols find: one per place of the matcher, as many as the limits allow.
class Places {
public:
  explicit Places(const TableLimits& limits) : limits_(limits) {}

  // Returns false and changes nothing if there is no place for the symbol.
  bool insert(const Symbol& symbol) {
    if (!is_allowed(symbol) || !matcher_.insert(symbol.bytes, symbol.length, 0)) return false;
    if (symbol.length > 2) ++long_symbols_;
    if (symbol.length == 2 && row_of(symbol)++ == 0) ++used_rows_;
    return true;
  }

private:
  bool is_allowed(const Symbol& symbol) {
    if (symbol.length > 2) return long_symbols_ < limits_.long_symbols;
    if (symbol.length == 1) return true;
    const unsigned pairs = row_of(symbol);
    return pairs == 0 ? used_rows_ < limits_.pair_rows && limits_.pairs_per_row > 0
                      : pairs < limits_.pairs_per_row;
  }
  unsigned& row_of(const Symbol& pair) { return pairs_of_row_[pair.bytes & 0xff]; }

  TableLimits limits_;
  SymbolMatcher matcher_;
  unsigned long_symbols_ = 0;
  unsigned used_rows_ = 0;
  std::array<unsigned, byte_count> pairs_of_row_{};
};

// The best symbols by gain that find a place.
std::vector<Symbol> choose_symbols(std::vector<Candidate> candidates, const TableLimits& limits) {
  std::make_heap(candidates.begin(), candidates.end(),
                 [](const auto& l, const auto& r) { return is_better(r, l); });
  Places places(limits);
  std::vector<Symbol> chosen;
  while (!candidates.empty() && chosen.size() < max_symbol_count) {
    std::pop_heap(candidates.begin(), candidates.end(),
                  [](const auto& l, const auto& r) { return is_better(r, l); });
    const Symbol symbol = candidates.back().symbol;
    candidates.pop_back();
    if (places.insert(symbol)) chosen.push_back(symbol);
  }
  return chosen;
}

}  // namespace

format::SymbolTable train_symbol_table(std::span<const std::uint8_t> input, std::uint64_t seed,
                                       const TableLimits& limits) {
  return train_on_sample(draw_sample(input, sample_bytes, seed), limits);
}

format::SymbolTable train_on_sample(std::span<const std::span<const std::uint8_t>> sample,
                                    const TableLimits& limits) {
  Counts counts;
  CandidateSet candidates;
  std::vector<Symbol> symbols;
  for (unsigned round = 0; round < generations; ++round) {
    const Generation generation(symbols);
    // The last round only weighs the symbols that are there: nobody would see how new ones do.
    const bool last = round + 1 == generations;
    counts.clear();
    count_sample(generation, sample, !last, counts);
    for (unsigned item = 0; item < generation.item_count(); ++item) {
      if (counts.of(item) < minimum_count) continue;
      const Symbol symbol = generation.symbol(item);
      const unsigned weight = symbol.length == 1 ? single_byte_weight : 1;
      candidates.add(symbol, counts.of(item) * symbol.length * weight);
    }
    counts.for_each_pair([&](unsigned first, unsigned second, std::uint64_t count) {
      if (count < minimum_count) return;
      const Symbol symbol = concatenate(generation.symbol(first), generation.symbol(second));
      if (symbol != generation.symbol(first)) candidates.add(symbol, count * symbol.length);
    });
    symbols = choose_symbols(candidates.take(), limits);
  }
  return table_of(symbols);
}

}  // namespace gsst::reference
