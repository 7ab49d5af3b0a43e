#include "experiments/measure_cpu/long_symbols.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "common/format/gsst/tiles_header.hpp"
#include "reference_cpu/sample.hpp"

namespace gsst::experiments {
namespace {

constexpr std::uint64_t bits_per_code = 12;
constexpr std::size_t byte_values = 256;
constexpr std::size_t most_symbols = long_symbol_class_codes * long_symbol_class_count;
// As the highest level of format tiles.
constexpr std::size_t trained_bytes = std::size_t{2} << 20;
// The best strings of a round are much alike: the longer symbols are, the more of them.
constexpr std::size_t growth_steps = 16;
constexpr unsigned replacement_rounds = 24;

// A string by where it stands in the sorted sample: it starts at the positions order[first] to
// order[last - 1].
struct Piece {
  std::uint32_t first;
  std::uint32_t last;
  std::uint32_t length;
};

// A symbol or a string that may become one, with what it saves in the unit of Trainer::size().
struct Weighed {
  Piece piece;
  std::int64_t saved;
};

// A total order: the same choice on every machine.
bool saves_more(const Weighed& left, const Weighed& right) {
  return std::tuple(-left.saved, left.piece.length, left.piece.first) <
         std::tuple(-right.saved, right.piece.length, right.piece.first);
}

void keep_best(std::vector<Weighed>& all, std::size_t count) {
  if (all.size() > count) {
    std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), all.end(), saves_more);
    all.resize(count);
  }
  std::sort(all.begin(), all.end(), saves_more);
}

// By length in bytes.
using WeighedByLength = std::array<std::vector<Weighed>, longest_long_symbol + 1>;

class Trainer {
public:
  Trainer(std::span<const std::uint8_t> input, unsigned longest, unsigned price)
      : longest_(longest), price_(price), input_bytes_(static_cast<std::int64_t>(input.size())) {
    for (const auto chunk : reference::draw_sample(input, trained_bytes, reference::default_training_seed)) {
      text_.insert(text_.end(), chunk.begin(), chunk.end());
    }
    sort_positions();
  }

  LongSymbolTable train() {
    grow();
    shrink();
    replace();
    LongSymbolTable table;
    for (const Piece& piece : symbols_) {
      const auto begin = text_.begin() + order_[piece.first];
      table.symbols.emplace_back(begin, begin + piece.length);
    }
    std::copy(classes_.begin() + 1, classes_.end(), table.classes.begin());
    return table;
  }

private:
  // Symbols start where `longest_` bytes are left. common_[k]: bytes that the strings at order_[k - 1] and
  // order_[k] share.
  void sort_positions() {
    order_.resize(text_.size() - std::min<std::size_t>(text_.size(), longest_ - 1));
    std::iota(order_.begin(), order_.end(), 0u);
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t left, std::uint32_t right) {
      const int difference = std::memcmp(&text_[left], &text_[right], longest_);
      return difference != 0 ? difference < 0 : left < right;
    });
    common_.assign(order_.size() + 1, 0);
    for (std::size_t k = 1; k < order_.size(); ++k) {
      const std::uint8_t* const left = &text_[order_[k - 1]];
      common_[k] =
          static_cast<std::uint8_t>(std::mismatch(left, left + longest_, &text_[order_[k]]).first - left);
    }
  }

  // Which symbols start at each position.
  void find_matches() {
    match_ends_.assign(text_.size() + 1, 0);
    for (const Piece& piece : symbols_) {
      for (std::uint32_t k = piece.first; k < piece.last; ++k) ++match_ends_[order_[k]];
    }
    std::uint32_t begin = 0;
    for (std::uint32_t& end : match_ends_) begin += std::exchange(end, begin);
    matches_.resize(begin);
    for (std::size_t i = 0; i < symbols_.size(); ++i) {
      for (std::uint32_t k = symbols_[i].first; k < symbols_[i].last; ++k) {
        matches_[match_ends_[order_[k]]++] = static_cast<std::uint16_t>(i);
      }
    }
  }

  std::span<const std::uint16_t> matches_at(std::size_t position) const {
    const std::uint32_t begin = position == 0 ? 0 : match_ends_[position - 1];
    return std::span(matches_).subspan(begin, match_ends_[position] - begin);
  }

  // Codes in front of and behind each position.
  void parse() {
    find_matches();
    before_.assign(text_.size() + 1, std::numeric_limits<std::int32_t>::max());
    after_.assign(text_.size() + 1, 0);
    before_[0] = 0;
    for (std::size_t i = 0; i < text_.size(); ++i) {
      const std::int32_t codes = before_[i] + 1;
      before_[i + 1] = std::min(before_[i + 1], codes);
      for (const std::uint16_t match : matches_at(i)) {
        std::int32_t& there = before_[i + symbols_[match].length];
        there = std::min(there, codes);
      }
    }
    for (std::size_t i = text_.size(); i-- > 0;) {
      after_[i] = 1 + after_[i + 1];
      for (const std::uint16_t match : matches_at(i)) {
        after_[i] = std::min(after_[i], 1 + after_[i + symbols_[match].length]);
      }
    }
  }

  // Sizes are in bits of the input for each byte of the sample.
  std::int64_t size_of_codes(std::int64_t codes) const {
    return codes * static_cast<std::int64_t>(bits_per_code) * input_bytes_;
  }
  std::int64_t size_in_table(std::size_t bytes) const {
    return static_cast<std::int64_t>(8 * price_ * bytes * text_.size());
  }
  std::int64_t size() const {
    std::size_t bytes = 0;
    for (std::size_t length = 1; length < classes_.size(); ++length) {
      bytes += classes_[length] * long_symbol_class_codes * length;
    }
    return size_of_codes(after_[0]) + size_in_table(bytes);
  }

  Weighed weigh(const Piece& piece, std::int64_t codes) const {
    // Of n occurrences each is expected as often as the n - 1 others say.
    const std::int64_t occurrences = piece.last - piece.first;
    const std::int64_t expected = codes * (occurrences - 1) / occurrences;
    return {.piece = piece, .saved = size_of_codes(expected) - size_in_table(piece.length)};
  }

  // The codes that the sample takes at least if the byte at `position` is not part of `symbol` there.
  std::int32_t codes_without(std::size_t position, std::uint16_t symbol) const {
    std::int32_t best = before_[position] + 1 + after_[position + 1];
    for (std::size_t j = position - std::min<std::size_t>(position, longest_ - 1); j <= position; ++j) {
      for (const std::uint16_t match : matches_at(j)) {
        const std::size_t end = j + symbols_[match].length;
        if (end <= position || (j == position && match == symbol)) continue;
        best = std::min(best, before_[j] + 1 + after_[end]);
      }
    }
    return best;
  }

  // What each symbol saves: what the parse would take more without it.
  std::vector<Weighed> weigh_symbols() const {
    std::vector<std::int64_t> losses(symbols_.size(), 0);
    for (std::size_t i = 0; i < text_.size();) {
      const auto matches = matches_at(i);
      const auto taken = std::find_if(matches.begin(), matches.end(), [&](std::uint16_t match) {
        return after_[i] == 1 + after_[i + symbols_[match].length];
      });
      if (taken == matches.end()) {
        ++i;
        continue;
      }
      losses[*taken] += codes_without(i, *taken) - after_[0];
      i += symbols_[*taken].length;
    }
    std::vector<Weighed> weighed;
    for (std::size_t i = 0; i < symbols_.size(); ++i) weighed.push_back(weigh(symbols_[i], losses[i]));
    return weighed;
  }

  // The strings that save the most as symbols, at most `count` of each length. In the sorted sample all that
  // start with the same bytes stand together.
  WeighedByLength weigh_strings(std::size_t count) const {
    WeighedByLength best;
    std::array<std::int64_t, longest_long_symbol + 1> gains{};
    std::array<std::uint32_t, longest_long_symbol + 1> firsts{};
    for (std::uint32_t k = 0; k <= order_.size(); ++k) {
      for (std::uint32_t length = std::max(2u, common_[k] + 1u); length <= longest_; ++length) {
        if (k - firsts[length] > 1) {
          const Weighed string = weigh({.first = firsts[length], .last = k, .length = length}, gains[length]);
          if (string.saved > 0) best[length].push_back(string);
        }
        firsts[length] = k;
        gains[length] = 0;
      }
      if (k == order_.size()) break;
      const std::uint32_t position = order_[k];
      const std::int32_t limit = after_[0] - before_[position] - 1;
      for (std::uint32_t length = 2; length <= longest_; ++length) {
        gains[length] += std::max(0, limit - after_[position + length]);
      }
    }
    for (auto& strings : best) keep_best(strings, count);
    return best;
  }

  void take(std::span<const Weighed> chosen) {
    symbols_.clear();
    for (const Weighed& symbol : chosen) symbols_.push_back(symbol.piece);
  }

  // Drops symbols that save nothing, and the worst of more than `most`. Symbols that can stand for each other
  // look useless all at once: an eighth leaves at a time. False if none has to.
  static bool drop_worst(std::vector<Weighed>& weighed, std::size_t most) {
    std::sort(weighed.begin(), weighed.end(), saves_more);
    std::size_t dropped = 0;
    const std::size_t most_dropped = weighed.size() / 8 + 1;
    while (!weighed.empty() && dropped < most_dropped &&
           (weighed.size() > most || weighed.back().saved <= 0)) {
      weighed.pop_back();
      ++dropped;
    }
    return dropped != 0;
  }

  void shrink() {
    std::vector<Weighed> weighed = weigh_symbols();
    while (drop_worst(weighed, most_symbols)) {
      take(weighed);
      parse();
      weighed = weigh_symbols();
    }
  }

  // Without classes, to a quarter more than there is room for.
  void grow() {
    constexpr std::size_t most = most_symbols + most_symbols / 4;
    for (std::size_t step = 1; step <= growth_steps; ++step) {
      parse();
      std::vector<Weighed> chosen = weigh_symbols();
      drop_worst(chosen, most);
      std::vector<Weighed> strings;
      for (const auto& of_length : weigh_strings(most / growth_steps)) {
        strings.insert(strings.end(), of_length.begin(), of_length.end());
      }
      keep_best(strings, std::min(most / growth_steps, most - std::min(most, chosen.size())));
      chosen.insert(chosen.end(), strings.begin(), strings.end());
      take(chosen);
    }
    parse();
  }

  // Gives each length its classes and the best of its symbols and of at most `most` strings. The classes of a
  // length save less and less, so the best are found one by one.
  void choose(std::size_t most) {
    WeighedByLength choices = weigh_strings(most);
    for (const Weighed& symbol : weigh_symbols()) {
      if (symbol.saved > 0) choices[symbol.piece.length].push_back(symbol);
    }
    for (auto& of_length : choices) std::sort(of_length.begin(), of_length.end(), saves_more);
    const auto class_of = [&](std::size_t length, std::size_t index) {
      const auto& all = choices[length];
      const std::size_t begin = std::min(all.size(), index * long_symbol_class_codes);
      return std::span(all).subspan(begin, std::min(long_symbol_class_codes, all.size() - begin));
    };
    const auto saved_by_next = [&](std::size_t length) {
      const auto symbols = class_of(length, classes_[length]);
      // A class is stored as a whole.
      std::int64_t saved = -size_in_table((long_symbol_class_codes - symbols.size()) * length);
      for (const Weighed& symbol : symbols) saved += symbol.saved;
      return saved;
    };
    classes_ = {};
    std::vector<Weighed> chosen;
    for (std::size_t i = 0; i < long_symbol_class_count; ++i) {
      std::size_t best = 0;
      std::int64_t most_saved = 0;
      for (std::size_t length = 2; length <= longest_; ++length) {
        const std::int64_t saved = saved_by_next(length);
        if (saved <= most_saved) continue;
        most_saved = saved;
        best = length;
      }
      if (best == 0) break;
      const auto symbols = class_of(best, classes_[best]);
      chosen.insert(chosen.end(), symbols.begin(), symbols.end());
      ++classes_[best];
    }
    take(chosen);
  }

  // Fewer and fewer symbols at a time, as long as the whole becomes smaller.
  void replace() {
    choose(most_symbols);
    parse();
    std::size_t most = most_symbols / 4;
    for (unsigned round = 0; round < replacement_rounds && most != 0; ++round) {
      const std::vector<Piece> symbols = symbols_;
      const auto classes = classes_;
      const std::int64_t size_before = size();
      choose(most);
      parse();
      if (size() < size_before) continue;
      symbols_ = symbols;
      classes_ = classes;
      parse();
      most /= 2;
    }
  }

  unsigned longest_;
  std::size_t price_;
  std::int64_t input_bytes_;
  std::vector<std::uint8_t> text_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint8_t> common_;
  std::vector<Piece> symbols_;
  // By length in bytes.
  std::array<std::size_t, longest_long_symbol + 1> classes_{};
  // Where the matches of each position end in matches_: those of a position begin where the last one's end.
  std::vector<std::uint32_t> match_ends_;
  std::vector<std::uint16_t> matches_;
  std::vector<std::int32_t> before_;
  std::vector<std::int32_t> after_;
};

// Finds all symbols that start at a place.
class Trie {
public:
  explicit Trie(std::span<const std::string> symbols) : nodes_(1) {
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      std::uint32_t node = 0;
      for (const char character : symbols[i]) {
        const auto byte = static_cast<std::uint8_t>(character);
        if (nodes_[node].next[byte] == 0) {
          nodes_[node].next[byte] = static_cast<std::uint32_t>(nodes_.size());
          nodes_.emplace_back();
        }
        node = nodes_[node].next[byte];
      }
      nodes_[node].code = static_cast<std::uint16_t>(byte_values + i);
    }
  }

  // Calls visit(code, length).
  template <typename Visit>
  void for_each_match(std::span<const std::uint8_t> text, const Visit& visit) const {
    std::uint32_t node = 0;
    for (std::size_t length = 1; length <= text.size(); ++length) {
      node = nodes_[node].next[text[length - 1]];
      if (node == 0) break;
      if (nodes_[node].code != 0) visit(nodes_[node].code, length);
    }
  }

private:
  struct Node {
    std::array<std::uint32_t, byte_values> next{};
    std::uint16_t code = 0;
  };
  std::vector<Node> nodes_;
};

}  // namespace

LongSymbolTable train_long_symbols(std::span<const std::uint8_t> input, unsigned longest, unsigned price) {
  return Trainer(input, longest, price).train();
}

std::vector<std::uint16_t> encode_long_symbols(const LongSymbolTable& table,
                                               std::span<const std::uint8_t> input) {
  struct Choice {
    std::uint16_t code;
    std::uint16_t length;
  };
  const Trie trie(table.symbols);
  std::vector<std::uint32_t> costs(input.size() + 1, 0);
  std::vector<Choice> choices(input.size());
  for (std::size_t i = input.size(); i-- > 0;) {
    costs[i] = 1 + costs[i + 1];
    choices[i] = {.code = input[i], .length = 1};
    trie.for_each_match(input.subspan(i), [&](std::uint16_t code, std::size_t length) {
      if (1 + costs[i + length] >= costs[i]) return;
      costs[i] = 1 + costs[i + length];
      choices[i] = {.code = code, .length = static_cast<std::uint16_t>(length)};
    });
  }
  std::vector<std::uint16_t> codes;
  for (std::size_t i = 0; i < input.size(); i += choices[i].length) codes.push_back(choices[i].code);
  return codes;
}

std::vector<std::uint8_t> decode_long_symbols(const LongSymbolTable& table,
                                              std::span<const std::uint16_t> codes) {
  std::vector<std::uint8_t> output;
  for (const std::uint16_t code : codes) {
    if (code < byte_values) {
      output.push_back(static_cast<std::uint8_t>(code));
    } else {
      const std::string& symbol = table.symbols.at(code - byte_values);
      output.insert(output.end(), symbol.begin(), symbol.end());
    }
  }
  return output;
}

std::uint64_t bytes_of_table(const LongSymbolTable& table) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < table.classes.size(); ++i) {
    bytes += table.classes[i] * long_symbol_class_codes * (i + 1);
  }
  return bytes;
}

std::uint64_t stored_bytes(const LongSymbolTable& table, std::uint64_t codes) {
  // 32 codes a lane, and 2048 codes a strip, as 12-bit codes have in format tiles.
  constexpr format::TileShape shape{.code_bits = bits_per_code, .codes_per_lane = 32};
  constexpr std::uint64_t tiles_per_strip = 2;
  const std::uint64_t tiles = (codes + shape.codes() - 1) / shape.codes();
  const std::uint64_t strips = (tiles + tiles_per_strip - 1) / tiles_per_strip;
  return format::padded_tiles_payload_bytes(format::tiles_header_bytes + tiles * shape.bytes() + 4 * strips +
                                            bytes_of_table(table));
}

}  // namespace gsst::experiments
