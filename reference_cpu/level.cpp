#include "reference_cpu/level.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "reference_cpu/sample.hpp"
#include "reference_cpu/sample_analysis.hpp"
#include "reference_cpu/size_measure.hpp"
#include "reference_cpu/train_dictionary.hpp"

namespace gsst::reference {
namespace {

using Efforts = std::array<TrainingEffort, max_level - first_dictionary_level + 1>;

constexpr std::size_t kibibyte = std::size_t{1} << 10;

// By level from 3 on. A level takes the best of what it and those below it make: they differ in kind as well
// as in work, since no kind is the best for all columns.
constexpr Efforts efforts_8_bits = {{
    {.sample_bytes = 32 * kibibyte, .growth_steps = 9, .replacement_rounds = 10},
    {.sample_bytes = 128 * kibibyte, .growth_steps = 8, .replacement_rounds = 16},
    {.sample_bytes = 64 * kibibyte, .growth_steps = 16, .replacement_rounds = 24},
    {.sample_bytes = 128 * kibibyte, .growth_steps = 12, .replacement_rounds = 24},
    {.sample_bytes = 128 * kibibyte, .growth_steps = 16, .replacement_rounds = 24},
    {.sample_bytes = 256 * kibibyte, .growth_steps = 16, .replacement_rounds = 24},
    {.sample_bytes = 256 * kibibyte, .growth_steps = 24, .replacement_rounds = 40},
}};

// More symbols need more text to tell them apart.
constexpr Efforts efforts_10_bits = {{
    {.sample_bytes = 64 * kibibyte, .growth_steps = 8, .replacement_rounds = 8},
    {.sample_bytes = 128 * kibibyte, .growth_steps = 4, .replacement_rounds = 4},
    {.sample_bytes = 128 * kibibyte, .growth_steps = 8, .replacement_rounds = 8},
    {.sample_bytes = 256 * kibibyte, .growth_steps = 4, .replacement_rounds = 8},
    {.sample_bytes = 256 * kibibyte, .growth_steps = 8, .replacement_rounds = 8},
    {.sample_bytes = 512 * kibibyte, .growth_steps = 8, .replacement_rounds = 8},
    {.sample_bytes = 1024 * kibibyte, .growth_steps = 8, .replacement_rounds = 8},
}};

// Of thousands of symbols few are alike: with enough text to tell them apart, growing in two steps is as good
// as in eight, and for the greedy parse 1.5 % better. With as little text as level 3 has, two steps take a
// third less time; with the optimal parse DBText is 0.8 % smaller, its columns between 5 % smaller and 3 %
// larger.
constexpr Efforts efforts_12_bits = {{
    {.sample_bytes = 64 * kibibyte, .growth_steps = 2, .replacement_rounds = 3},
    {.sample_bytes = 128 * kibibyte, .growth_steps = 4, .replacement_rounds = 4},
    {.sample_bytes = 256 * kibibyte, .growth_steps = 6, .replacement_rounds = 12},
    {.sample_bytes = 256 * kibibyte, .growth_steps = 8, .replacement_rounds = 12},
    {.sample_bytes = 512 * kibibyte, .growth_steps = 2, .replacement_rounds = 12},
    {.sample_bytes = 1024 * kibibyte, .growth_steps = 2, .replacement_rounds = 8},
    {.sample_bytes = 2048 * kibibyte, .growth_steps = 2, .replacement_rounds = 8},
}};

// With the greedy parse two steps would make columns up to 8 % larger at level 3, and eight are fast enough.
constexpr TrainingEffort lowest_greedy_effort_12_bits = {
    .sample_bytes = 64 * kibibyte, .growth_steps = 8, .replacement_rounds = 4};

// What dictionaries are compared on: all of a block of the default size. The lowest level has no time for
// that.
std::size_t comparison_bytes(unsigned level) {
  return (level == first_dictionary_level ? 512 : 4096) * kibibyte;
}
// Where less than all is compared a dictionary must be better by one part in this many: less may be chance.
constexpr std::int64_t least_improvement = 1000;

const Efforts& efforts_of(CodeWidth width) {
  return width.bits == 8 ? efforts_8_bits : width.bits <= 10 ? efforts_10_bits : efforts_12_bits;
}

std::vector<std::span<const std::uint8_t>> cut(std::span<const std::span<const std::uint8_t>> sample,
                                               std::size_t part_bytes) {
  std::vector<std::span<const std::uint8_t>> parts;
  for (std::span<const std::uint8_t> chunk : sample) {
    while (!chunk.empty()) {
      parts.push_back(chunk.first(std::min(chunk.size(), part_bytes)));
      chunk = chunk.subspan(parts.back().size());
    }
  }
  return parts;
}

}  // namespace

void check_level(unsigned level) {
  if (level >= min_level && level <= max_level) return;
  throw std::invalid_argument("level is " + std::to_string(level) + ", expected " +
                              std::to_string(min_level) + " to " + std::to_string(max_level));
}

Parse level_parse(unsigned level) {
  check_level(level);
  return level == 1 ? Parse::greedy : Parse::optimal;
}

std::size_t level_sample_bytes(unsigned level, CodeWidth width) {
  check_level(level);
  if (level < first_dictionary_level) return sample_bytes;
  return efforts_of(width).at(level - first_dictionary_level).sample_bytes;
}

TrainingEffort level_effort(unsigned level, CodeWidth width, Parse parse) {
  check_level(level);
  if (level == first_dictionary_level && width.bits == 12 && parse == Parse::greedy) {
    return lowest_greedy_effort_12_bits;
  }
  return efforts_of(width).at(level - first_dictionary_level);
}

Dictionary train_dictionary_for_level(std::span<const std::uint8_t> input, CodeWidth width, unsigned level,
                                      std::size_t part_bytes, std::uint64_t seed) {
  check_level(level);
  Dictionary best{.width = width, .symbols = {}};
  if (width.bits == 8) {
    best = dictionary_of(train_symbol_table(input, seed));
  } else if (level < first_dictionary_level) {
    throw std::invalid_argument("level " + std::to_string(level) + " trains for 8-bit codes only");
  }
  if (level < first_dictionary_level) return best;

  const SampleAnalyser analyser(cut(draw_sample(input, comparison_bytes(level), seed + 1), part_bytes));
  const SizeMeasure measure(width, input.size(), analyser.bytes());
  std::int64_t best_size = measure.of(best, analyser.count_codes(best));
  for (unsigned lower = first_dictionary_level; lower <= level; ++lower) {
    Dictionary dictionary = train_dictionary(
        input, width, efforts_of(width).at(lower - first_dictionary_level), Parse::optimal, seed);
    const std::int64_t size = measure.of(dictionary, analyser.count_codes(dictionary));
    const std::int64_t margin = analyser.bytes() < input.size() ? best_size / least_improvement : 0;
    if (size >= best_size - margin) continue;
    best_size = size;
    best = std::move(dictionary);
  }
  return best;
}

format::SymbolTable train_for_level(std::span<const std::uint8_t> input, unsigned level,
                                    std::size_t part_bytes, std::uint64_t seed) {
  check_level(level);
  // The trained table is in its stored order already.
  if (level < first_dictionary_level) return train_symbol_table(input, seed);
  return table_of(train_dictionary_for_level(input, CodeWidth{8}, level, part_bytes, seed).symbols);
}

}  // namespace gsst::reference
