#include "reference_cpu/train_tiles.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "reference_cpu/length_classes.hpp"
#include "reference_cpu/level.hpp"
#include "reference_cpu/parallel.hpp"
#include "reference_cpu/sample.hpp"
#include "reference_cpu/sample_analysis.hpp"
#include "reference_cpu/tile_matcher.hpp"
#include "reference_cpu/tile_table.hpp"

namespace gsst::reference {
namespace {

using Sample = std::vector<std::span<const std::uint8_t>>;

// Bytes on which tables are compared.
constexpr std::size_t compared_bytes = std::size_t{512} << 10;
// A level beyond these is compared with them: more work is not always better.
constexpr std::array<unsigned, 3> compared_levels = {4, 5, 6};
// Most byte values of an input for which each may get a symbol of 8-bit codes.
constexpr std::size_t most_byte_symbols = 160;

// The same bytes for all tables.
Sample draw_comparison(std::span<const std::uint8_t> input) {
  return draw_sample(input, compared_bytes, default_training_seed + 1);
}

std::vector<Symbol> symbols_of(const format::TileTable& table) {
  std::vector<Symbol> symbols;
  for (std::uint32_t code = first_tile_symbol(table); code < table.symbols.size(); ++code) {
    if (table.length(code) != 0)
      symbols.push_back({.bytes = table.symbols[code], .length = table.length(code)});
  }
  return symbols;
}

// A symbol for each byte that occurs, or nothing if there are too many.
std::optional<std::vector<Symbol>> byte_symbols(std::span<const std::uint8_t> input) {
  std::array<bool, 256> occurs{};
  for (const std::uint8_t byte : input) occurs[byte] = true;
  std::vector<Symbol> symbols;
  for (std::uint64_t byte = 0; byte < occurs.size(); ++byte) {
    if (occurs[byte]) symbols.push_back({.bytes = byte, .length = 1});
  }
  if (symbols.empty() || symbols.size() > most_byte_symbols) return std::nullopt;
  return symbols;
}

// Trains tables of one width for one input.
class TileTrainer {
public:
  TileTrainer(std::span<const std::uint8_t> input, CodeWidth width, Parse parse, std::uint64_t seed)
      : input_(input), width_(width), parse_(parse), seed_(seed) {}

  // As many of the thesis's symbols as the classes hold, those first that are missed the most.
  format::TileTable take_from_thesis_table() const {
    const Dictionary dictionary = dictionary_of(train_symbol_table(input_, seed_));
    SampleAnalyser analyser(draw_sample(input_, compared_bytes, seed_));
    const SampleAnalysis analysis = analyser.analyse(dictionary, 0, parse_);
    std::vector<WeightedSymbol> symbols;
    for (std::size_t i = 0; i < dictionary.symbols.size(); ++i) {
      symbols.push_back({.symbol = dictionary.symbols[i], .weight = 1 + analysis.losses[i]});
    }
    return allocate_tile_table(symbols, width_.bits, false);
  }

  // What `levels` give with each of `requirements`: symbols that take the place of escapes.
  std::vector<format::TileTable> train_each(std::span<const unsigned> levels,
                                            std::span<const std::span<const Symbol>> requirements,
                                            unsigned threads) const {
    std::vector<std::optional<ClassTraining>> trainings(levels.size());
    parallel_for(levels.size(), threads, [&](std::size_t i) {
      trainings[i].emplace(input_, width_, level_effort(levels[i], width_, parse_), parse_, seed_);
    });
    std::vector<format::TileTable> made(levels.size() * requirements.size());
    parallel_for(made.size(), threads, [&](std::size_t i) {
      made[i] = train(*trainings[i / requirements.size()], requirements[i % requirements.size()]);
    });
    return made;
  }

  // The first of those that are expected to make the input smallest.
  format::TileTable smallest_of(std::vector<format::TileTable> tables, unsigned threads) const {
    if (tables.size() == 1) return std::move(tables.front());
    std::vector<double> sizes(tables.size());
    parallel_for(tables.size(), threads,
                 [&](std::size_t i) { sizes[i] = expected_tile_bytes(tables[i], input_, parse_); });
    const auto smallest = std::min_element(sizes.begin(), sizes.end()) - sizes.begin();
    return std::move(tables[static_cast<std::size_t>(smallest)]);
  }

private:
  format::TileTable train(const ClassTraining& training, std::span<const Symbol> required) const {
    const bool escape_free = width_.bits != 8 || !required.empty();
    const LengthClasses classes{
        .class_codes = (std::size_t{1} << width_.bits) / format::length_class_count,
        .class_count = format::length_class_count -
                       (required.empty() ? format::literal_class_count(width_.bits, escape_free) : 0)};
    std::vector<WeightedSymbol> symbols;
    for (const Symbol& symbol : training.train(classes, required).dictionary.symbols) {
      symbols.push_back({.symbol = symbol, .weight = 1});
    }
    return allocate_tile_table(symbols, width_.bits, escape_free);
  }

  std::span<const std::uint8_t> input_;
  CodeWidth width_;
  Parse parse_;
  std::uint64_t seed_;
};

}  // namespace

bool holds_all_bytes(const format::TileTable& table, std::span<const std::uint8_t> input) {
  if (!table.escape_free || table.code_bits != 8) return true;
  std::array<bool, 256> held{};
  for (const Symbol& symbol : symbols_of(table)) {
    if (symbol.length == 1) held[symbol.bytes] = true;
  }
  return std::all_of(input.begin(), input.end(), [&](std::uint8_t byte) { return held[byte]; });
}

std::uint64_t count_tile_codes(const format::TileTable& table, std::span<const std::uint8_t> input,
                               Parse parse) {
  const Dictionary dictionary{.width = CodeWidth{table.code_bits}, .symbols = symbols_of(table)};
  const SampleAnalyser analyser(draw_comparison(input));
  return analyser.count_codes(dictionary, parse);
}

double expected_thesis_bytes(std::span<const std::uint8_t> input) {
  const format::SymbolTable table = train_symbol_table(input, default_training_seed);
  const SampleAnalyser analyser(draw_comparison(input));
  const std::uint64_t codes = analyser.count_codes(dictionary_of(table), Parse::greedy);
  return static_cast<double>(codes) * static_cast<double>(input.size()) /
             static_cast<double>(std::max<std::size_t>(1, analyser.bytes())) +
         static_cast<double>(format::stored_symbol_table_bytes(table));
}

double expected_code_bytes(const format::TileTable& table, std::span<const std::uint8_t> input, Parse parse) {
  std::size_t sampled = 0;
  for (const std::span<const std::uint8_t> chunk : draw_comparison(input)) sampled += chunk.size();
  const double codes = static_cast<double>(count_tile_codes(table, input, parse)) *
                       static_cast<double>(input.size()) /
                       static_cast<double>(std::max<std::size_t>(1, sampled));
  return codes * table.code_bits / 8;
}

double expected_tile_bytes(const format::TileTable& table, std::span<const std::uint8_t> input, Parse parse) {
  double table_bytes = format::tiles_header_bytes;
  for (std::uint32_t code = 0; code < table.symbols.size(); ++code) table_bytes += table.length(code);
  return expected_code_bytes(table, input, parse) + table_bytes;
}

format::TileTable train_tile_table(std::span<const std::uint8_t> input, std::uint32_t code_bits,
                                   unsigned level, Parse parse, unsigned threads, std::uint64_t seed) {
  const CodeWidth width{code_bits};
  check_level(level);
  const TileTrainer trainer(input, width, parse, seed);
  if (code_bits == 8 && level < first_dictionary_level) return trainer.take_from_thesis_table();
  const auto bytes = code_bits == 8 ? byte_symbols(input) : std::nullopt;
  std::vector<std::span<const Symbol>> requirements(1);
  if (bytes) requirements.emplace_back(*bytes);
  format::TileTable best = trainer.smallest_of(
      trainer.train_each(std::array{first_dictionary_level}, requirements, threads), threads);
  // Whether escapes pay shows with little work already. More work is not always better.
  if (bytes) requirements.erase(best.escape_free ? requirements.begin() : requirements.end() - 1);
  std::vector<unsigned> levels;
  for (const unsigned lower : compared_levels) {
    if (level > lower) levels.push_back(lower);
  }
  if (level > first_dictionary_level) levels.push_back(level);
  if (levels.empty()) return best;
  std::vector<format::TileTable> tables = trainer.train_each(levels, requirements, threads);
  tables.insert(tables.begin(), std::move(best));
  return trainer.smallest_of(std::move(tables), threads);
}

}  // namespace gsst::reference
