#include "reference_cpu/train_tiles.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "reference_cpu/level.hpp"
#include "reference_cpu/optimal_parse.hpp"
#include "reference_cpu/sample.hpp"
#include "reference_cpu/tile_matcher.hpp"
#include "reference_cpu/tile_table.hpp"

namespace gsst::reference {
namespace {

using Sample = std::vector<std::span<const std::uint8_t>>;

// Bytes in which the use of symbols is counted.
constexpr std::size_t counted_bytes = std::size_t{256} << 10;
// The first level that trains for codes of any width.
constexpr unsigned first_wide_level = 3;
// More than any symbol saves: a byte that must have a code.
constexpr std::uint64_t must_be_held = std::uint64_t{1} << 40;

// How often the optimal parse of the sample takes each symbol, and what it takes in all.
struct Use {
  std::vector<std::uint64_t> of_symbols;
  std::uint64_t codes = 0;
};

Use count_use(std::span<const Symbol> symbols, unsigned literal_codes, const Sample& sample) {
  const SymbolAutomaton automaton(symbols);
  Use use{.of_symbols = std::vector<std::uint64_t>(symbols.size()), .codes = 0};
  for (const auto chunk : sample) {
    std::vector<std::uint16_t> best(chunk.size());
    use.codes += parse_optimally(automaton, literal_codes, chunk,
                                 [&](std::size_t i, const SymbolAutomaton::Matches& matches, unsigned choice,
                                     std::uint32_t) { best[i] = matches.symbols[choice]; });
    for (std::size_t i = 0; i < chunk.size();) {
      if (best[i] == SymbolAutomaton::literal) {
        ++i;
        continue;
      }
      ++use.of_symbols[best[i]];
      i += symbols[best[i]].length;
    }
  }
  return use;
}

std::vector<Symbol> symbols_of(const format::TileTable& table) {
  std::vector<Symbol> symbols;
  for (std::uint32_t code = first_tile_symbol(table); code < table.symbols.size(); ++code) {
    if (table.length(code) != 0)
      symbols.push_back({.bytes = table.symbols[code], .length = table.length(code)});
  }
  return symbols;
}

std::vector<WeightedSymbol> weigh(std::span<const Symbol> symbols, unsigned literal_codes,
                                  const Sample& sample) {
  const Use use = count_use(symbols, literal_codes, sample);
  std::vector<WeightedSymbol> weighted;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    weighted.push_back({.symbol = symbols[i], .weight = 1 + use.of_symbols[i]});
  }
  return weighted;
}

// A table in which each byte of `input` has a code, if there is room for that many.
std::optional<format::TileTable> make_escape_free_table(std::vector<WeightedSymbol> symbols,
                                                        std::span<const std::uint8_t> input) {
  std::array<bool, 256> occurs{};
  for (const std::uint8_t byte : input) occurs[byte] = true;
  // Of equal symbols the first one counts.
  std::vector<WeightedSymbol> bytes;
  for (std::uint64_t byte = 0; byte < occurs.size(); ++byte) {
    if (occurs[byte]) bytes.push_back({.symbol = {.bytes = byte, .length = 1}, .weight = must_be_held});
  }
  constexpr std::size_t most_bytes = 160;
  if (bytes.size() > most_bytes) return std::nullopt;
  symbols.insert(symbols.begin(), bytes.begin(), bytes.end());
  return allocate_tile_table(symbols, 8, true);
}

}  // namespace

format::TileTable train_tile_table(std::span<const std::uint8_t> input, std::uint32_t code_bits,
                                   unsigned level, std::uint64_t seed) {
  check_level(level);
  const CodeWidth width{code_bits};
  const Dictionary dictionary =
      code_bits == 8
          ? dictionary_of(train_for_level(input, level, whole_input, seed))
          : train_dictionary_for_level(input, width, std::max(level, first_wide_level), whole_input, seed);
  const Sample sample = draw_sample(input, counted_bytes, seed);
  const std::vector<WeightedSymbol> symbols = weigh(dictionary.symbols, width.literal_codes(), sample);
  format::TileTable table = allocate_tile_table(symbols, code_bits, code_bits != 8);
  if (code_bits != 8) return table;
  const std::optional<format::TileTable> escape_free = make_escape_free_table(symbols, input);
  if (!escape_free) return table;
  const auto codes = [&](const format::TileTable& candidate) {
    return count_use(symbols_of(candidate), 2, sample).codes;
  };
  return codes(*escape_free) <= codes(table) ? *escape_free : table;
}

}  // namespace gsst::reference
