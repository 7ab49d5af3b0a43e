#include "cpu/tiles/table_trainer.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "common/format/gsst/symbol_table.hpp"
#include "common/format/part_size.hpp"
#include "cpu/tiles/match_index.hpp"
#include "cpu/tiles/match_index_builder.hpp"
#include "cpu/tiles/parsed_codes.hpp"
#include "reference_cpu/sample.hpp"
#include "reference_cpu/symbol.hpp"
#include "reference_cpu/train.hpp"

namespace gsst::cpu::tiles {
namespace {

using format::length_class_count;
using format::max_symbol_length;
using format::TileTable;
using reference::Symbol;

// More symbols need more text to tell them apart.
constexpr std::size_t least_sample_bytes = std::size_t{32} << 10;
constexpr std::size_t most_sample_bytes_8_bits = std::size_t{64} << 10;
constexpr std::size_t most_sample_bytes_wide = std::size_t{256} << 10;
// Training looks at no more than this part of a large input.
constexpr std::size_t sampled_part = 8;
constexpr unsigned rounds = 8;
// The rounds at the end that look at the whole sample. What is frequent shows in a part of it.
constexpr unsigned whole_rounds = 2;
constexpr std::size_t early_part = 4;
// Of a symbol of one byte for each occurrence, where longer ones gain their length: without it the byte takes
// two codes.
constexpr std::uint32_t single_byte_weight = 3;

// Items are what a parse yields: the codes of a table and, with 8 bits, 256 + b for a literal byte b.
constexpr std::uint32_t first_literal_item = 256;

struct WeightedCandidate {
  Symbol symbol;
  std::uint32_t gain;
};

// How often each item follows another. What finds no place is not counted: there is place enough for what
// is frequent.
class PairCounts {
public:
  PairCounts() : entries_(entry_count) {}

  void clear() { std::fill(entries_.begin(), entries_.end(), Entry{}); }

  void count(std::uint32_t first, std::uint32_t second) {
    const std::uint32_t key = first << 12 | second;
    std::size_t place = key * std::uint32_t{0x9e3779b1} >> (32 - entry_bits);
    for (unsigned probe = 0; probe < most_probes; ++probe) {
      Entry& entry = entries_[place];
      if (entry.count == 0) entry.key = key;
      if (entry.key == key) {
        ++entry.count;
        return;
      }
      place = (place + 1) % entry_count;
    }
  }

  // Calls visit(first, second, count) for each pair that occurs `least` times.
  template <typename Visit>
  void for_each(std::uint32_t least, const Visit& visit) const {
    for (const Entry& entry : entries_) {
      if (entry.count >= least) visit(entry.key >> 12, entry.key & 0xfff, entry.count);
    }
  }

private:
  struct Entry {
    std::uint32_t key = 0;
    std::uint32_t count = 0;
  };
  static constexpr unsigned entry_bits = 16;
  static constexpr std::size_t entry_count = std::size_t{1} << entry_bits;
  static constexpr unsigned most_probes = 8;

  std::vector<Entry> entries_;
};

// Candidates by symbol: the same one comes from several pairs, and its gains add up.
class CandidateSet {
public:
  CandidateSet() : places_(place_count) {}

  void add(const Symbol& symbol, std::uint32_t gain) {
    std::size_t place = (symbol.bytes * 0x9e3779b97f4a7c15 + symbol.length) >> (64 - place_bits);
    for (; places_[place] != 0; place = (place + 1) % place_count) {
      WeightedCandidate& there = candidates_[places_[place] - 1];
      if (there.symbol != symbol) continue;
      there.gain += gain;
      return;
    }
    // Half of the places stay empty.
    if (candidates_.size() == place_count / 2) return;
    candidates_.push_back({.symbol = symbol, .gain = gain});
    places_[place] = static_cast<std::uint32_t>(candidates_.size());
  }

  std::vector<WeightedCandidate> take() {
    std::fill(places_.begin(), places_.end(), 0);
    return std::exchange(candidates_, {});
  }

private:
  static constexpr unsigned place_bits = 16;
  static constexpr std::size_t place_count = std::size_t{1} << place_bits;

  std::vector<std::uint32_t> places_;
  std::vector<WeightedCandidate> candidates_;
};

bool is_better(const WeightedCandidate& left, const WeightedCandidate& right) {
  if (left.gain != right.gain) return left.gain > right.gain;
  return comes_before(left.symbol, right.symbol);
}

// By length, the best first.
using ByLength = std::array<std::vector<WeightedCandidate>, max_symbol_length + 1>;
using Classes = std::array<std::uint32_t, max_symbol_length + 1>;

// Those that have a place in the parser's index.
ByLength place(std::vector<WeightedCandidate> candidates, std::uint32_t code_bits) {
  // Many more than find a place in the table.
  const std::size_t most = std::min(candidates.size(), std::size_t{4} << code_bits);
  std::nth_element(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(most),
                   candidates.end(), is_better);
  candidates.resize(most);
  std::sort(candidates.begin(), candidates.end(), is_better);
  const unsigned ways = match_ways(code_bits);
  std::array<std::uint8_t, match_slots> used{};
  ByLength by_length;
  for (const WeightedCandidate& candidate : candidates) {
    if (candidate.symbol.length > 2 && used[match_slot(candidate.symbol.bytes)]++ >= ways) continue;
    by_length[candidate.symbol.length].push_back(candidate);
  }
  return by_length;
}

// What a table is for.
struct TableUse {
  std::uint32_t code_bits;
  /// Bytes of input for each byte of the sample that was parsed.
  double scale;
};

// Bytes that symbols save in the input: of what they stand for, some would else take more codes.
std::int64_t saved_bytes(std::uint64_t gain, const TableUse& use) {
  constexpr double saved_codes = 0.25;
  return static_cast<std::int64_t>(static_cast<double>(gain) * saved_codes * use.code_bits / 8 * use.scale);
}

// The classes of each length that save the most. A class is stored as a whole.
Classes share_classes(const ByLength& candidates, std::uint32_t free_classes, std::size_t class_codes,
                      const TableUse& use) {
  std::array<std::int64_t, length_class_count + 1> most{};
  std::array<std::array<std::uint32_t, length_class_count + 1>, max_symbol_length + 1> taken{};
  for (unsigned length = 1; length <= max_symbol_length; ++length) {
    std::array<std::int64_t, length_class_count + 1> saved{};
    for (std::uint32_t classes = 1; classes <= free_classes; ++classes) {
      std::uint64_t gain = 0;
      const std::size_t end = std::min(classes * class_codes, candidates[length].size());
      for (std::size_t i = (classes - 1) * class_codes; i < end; ++i) gain += candidates[length][i].gain;
      saved[classes] =
          saved[classes - 1] + saved_bytes(gain, use) - static_cast<std::int64_t>(class_codes * length);
    }
    for (std::uint32_t total = free_classes + 1; total-- > 0;) {
      std::int64_t best = 0;
      for (std::uint32_t here = 0; here <= total; ++here) {
        const std::int64_t both = most[total - here] + saved[here];
        if (both <= best && here != 0) continue;
        best = both;
        taken[length][total] = here;
      }
      most[total] = best;
    }
  }
  Classes classes{};
  std::uint32_t left = free_classes;
  for (unsigned length = max_symbol_length; length >= 1; --length) {
    classes[length] = taken[length][left];
    left -= classes[length];
  }
  return classes;
}

TileTable make_table(std::vector<WeightedCandidate> candidates, const TableUse& use) {
  TileTable table = format::make_literal_tile_table(use.code_bits, use.code_bits != 8);
  std::uint32_t next_class = format::literal_class_count(use.code_bits, table.escape_free);
  const std::size_t class_codes = table.symbols.size() / length_class_count;
  const ByLength placed = place(std::move(candidates), use.code_bits);
  const Classes classes = share_classes(placed, length_class_count - next_class, class_codes, use);
  for (unsigned length = 1; length <= max_symbol_length; ++length) {
    const std::size_t first = next_class * class_codes;
    for (std::size_t i = 0; i < classes[length] * class_codes; ++i) {
      // What fills up a class is a symbol that is there already.
      table.symbols[first + i] = placed[length][i < placed[length].size() ? i : 0].symbol.bytes;
    }
    for (std::uint32_t i = 0; i < classes[length]; ++i) {
      table.class_lengths[next_class++] = static_cast<std::uint8_t>(length);
    }
  }
  return table;
}

class Trainer {
public:
  Trainer(std::span<const std::uint8_t> input, std::uint32_t code_bits, const InstructionSet& instructions)
      : code_bits_(code_bits),
        instructions_(instructions),
        index_(std::make_unique_for_overwrite<MatchIndex>()),
        input_bytes_(input.size()),
        table_(make_table({}, {.code_bits = code_bits, .scale = 0})) {
    const std::size_t most = code_bits == 8 ? most_sample_bytes_8_bits : most_sample_bytes_wide;
    const std::size_t wanted = std::clamp(input.size() / sampled_part, least_sample_bytes, most);
    const auto chunks = reference::draw_sample(input, wanted, reference::default_training_seed);
    // The first part is of all of the input too.
    for (std::size_t first = 0; first < early_part; ++first) {
      for (std::size_t i = first; i < chunks.size(); i += early_part) {
        sample_.insert(sample_.end(), chunks[i].begin(), chunks[i].end());
      }
    }
  }

  TileTable train() {
    if (sample_.empty()) return std::move(table_);
    for (unsigned round = 1; round <= rounds; ++round) {
      const bool whole = round + whole_rounds > rounds;
      const std::size_t bytes = whole ? sample_.size() : format::part_size(sample_.size(), early_part);
      // The last round only weighs the symbols that are there: nobody would see how new ones do.
      improve(std::span(sample_).first(bytes), round != rounds);
    }
    return std::move(table_);
  }

private:
  void improve(std::span<const std::uint8_t> sample, bool with_pairs) {
    build_match_index(table_, *index_);
    parsed_.parse(*index_, sample, *instructions_.parse_segments);
    items_.fill(0);
    if (with_pairs) pairs_.clear();
    for (std::size_t i = 0; i < parsed_.segments(); ++i) {
      code_bits_ == 8 ? count_bytes(parsed_.segment(i), with_pairs)
                      : count_words(parsed_.segment(i), with_pairs);
    }
    add_items();
    if (with_pairs) add_pairs();
    table_ = make_table(candidates_.take(),
                        {.code_bits = code_bits_,
                         .scale = static_cast<double>(input_bytes_) / static_cast<double>(sample.size())});
  }

  void count_bytes(std::span<const std::uint8_t> codes, bool with_pairs) {
    std::uint32_t previous = no_item;
    for (std::size_t i = 0; i < codes.size(); ++i) {
      std::uint32_t item = codes[i];
      if (item < length_class_count) {
        ++i;
        item = first_literal_item + (item << 4 | (codes[i] & 15U));
      }
      count(previous, item, with_pairs);
      previous = item;
    }
  }

  void count_words(std::span<const std::uint8_t> codes, bool with_pairs) {
    std::uint32_t previous = no_item;
    for (std::size_t i = 0; i < codes.size(); i += 2) {
      const std::uint32_t item = codes[i] | std::uint32_t{codes[i + 1]} << 8;
      count(previous, item, with_pairs);
      previous = item;
    }
  }

  void count(std::uint32_t previous, std::uint32_t item, bool with_pairs) {
    ++items_[item];
    if (with_pairs && previous != no_item) pairs_.count(previous, item);
  }

  Symbol symbol(std::uint32_t item) const {
    if (code_bits_ == 8 && item >= first_literal_item)
      return {.bytes = item - first_literal_item, .length = 1};
    return {.bytes = table_.symbols[item], .length = table_.length(item)};
  }

  void add_items() {
    const std::uint32_t end = code_bits_ == 8 ? 2 * first_literal_item : 1U << code_bits_;
    // With wide codes each byte has one.
    for (std::uint32_t item = code_bits_ == 8 ? 0 : 256; item < end; ++item) {
      if (items_[item] == 0) continue;
      const Symbol known = symbol(item);
      candidates_.add(known, items_[item] * (known.length == 1 ? single_byte_weight : known.length));
    }
  }

  void add_pairs() {
    const std::uint32_t least = 3;
    pairs_.for_each(least, [&](std::uint32_t first, std::uint32_t second, std::uint32_t count) {
      const Symbol left = symbol(first);
      if (left.length == max_symbol_length) return;
      const Symbol right = symbol(second);
      const Symbol joined = concatenate(left, right);
      candidates_.add(joined, count * joined.length);
      // One byte more, which several right ones start with.
      if (right.length == 1 || left.length + 1 == max_symbol_length) return;
      const Symbol longer = concatenate(left, {.bytes = right.bytes & 0xff, .length = 1});
      candidates_.add(longer, count * longer.length);
    });
  }

  static constexpr std::uint32_t no_item = ~std::uint32_t{0};

  std::uint32_t code_bits_;
  const InstructionSet& instructions_;
  std::unique_ptr<MatchIndex> index_;
  std::size_t input_bytes_;
  TileTable table_;
  std::vector<std::uint8_t> sample_;
  ParsedCodes parsed_;
  std::array<std::uint32_t, most_codes> items_{};
  PairCounts pairs_;
  CandidateSet candidates_;
};

}  // namespace

TileTable train_table(std::span<const std::uint8_t> input, std::uint32_t code_bits,
                      const InstructionSet& instructions) {
  return std::make_unique<Trainer>(input, code_bits, instructions)->train();
}

}  // namespace gsst::cpu::tiles
