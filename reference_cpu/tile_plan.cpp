#include "reference_cpu/tile_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "reference_cpu/level.hpp"
#include "reference_cpu/parallel.hpp"
#include "reference_cpu/tile_banks.hpp"
#include "reference_cpu/tile_parse.hpp"
#include "reference_cpu/train_tiles.hpp"

namespace gsst::reference {
namespace {

// A GPU's memory moves as many bytes as codes of each width decode to in the same time if a code stands for
// this many (H200: 1.04, 0.85 and 0.70 * 10^12 codes and 4.14 * 10^12 bytes a second).
constexpr std::array<double, 3> bytes_of_busy_codes = {4.0, 4.85, 5.9};
// A width that is slower than the fastest by no more than this is taken for what it saves.
constexpr double fast_enough = 0.9;
// Wide codes need a sample of this level's size to show what they are worth; lower levels compare with less.
constexpr unsigned level_that_compares_widths = 6;
// Where no width makes the input smaller than the thesis's table, the widest codes are tried once more with
// this level's sample: digits of random numbers, of which no string is frequent, need as much.
constexpr unsigned level_of_second_try = 7;
// Codes whose lengths show how lanes meet in banks: 16 tiles.
constexpr std::size_t banked_bytes = std::size_t{128} << 10;
// Rounds of a store that cost no time: the rest of decoding a code takes longer.
constexpr double free_store_rounds = 5;

template <typename Values>
std::size_t index_of(const Values& values, std::uint32_t value, const char* name) {
  const auto found = std::find(values.begin(), values.end(), value);
  if (found == values.end()) {
    throw std::invalid_argument(std::string(name) + " is " + std::to_string(value) + ", no such tile");
  }
  return static_cast<std::size_t>(found - values.begin());
}

// What a width makes of an input.
struct Expected {
  double ratio;
  // Output, where the bytes that the memory can move are 1.
  double speed;
};

// Either the memory or the codes are the limit.
Expected expect(const format::TileTable& table, std::size_t width, std::span<const std::uint8_t> input,
                Parse parse) {
  const double ratio = static_cast<double>(input.size()) / expected_tile_bytes(table, input, parse);
  const double bytes_per_code = ratio * table.code_bits / 8;
  return {.ratio = ratio,
          .speed = std::min(ratio / (ratio + 1), bytes_per_code / bytes_of_busy_codes[width])};
}

// A width, and the level that its table is trained at.
struct WidthChoice {
  std::uint32_t code_bits;
  unsigned level;
};

// The width that makes the input smallest, of those fast enough. What the thesis's table would make smaller
// is not taken unless all would be: then the smallest is.
std::size_t choose_width(const std::array<Expected, 3>& expected, double thesis_ratio) {
  const auto is_small = [&](const Expected& width) { return width.ratio >= thesis_ratio; };
  const bool any_is_small = std::any_of(expected.begin(), expected.end(), is_small);
  double fastest = 0;
  for (const Expected& width : expected) {
    if (is_small(width)) fastest = std::max(fastest, width.speed);
  }
  const auto is_eligible = [&](const Expected& width) {
    return !any_is_small || (is_small(width) && width.speed >= fast_enough * fastest);
  };
  std::size_t best = expected.size();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!is_eligible(expected[i])) continue;
    if (best == expected.size() || expected[i].ratio > expected[best].ratio) best = i;
  }
  return best;
}

WidthChoice choose_code_bits(std::span<const std::uint8_t> input, const TileRequest& request,
                             unsigned threads, TileChoice& choice) {
  if (request.code_bits != 0) return {.code_bits = request.code_bits, .level = request.level};
  if (request.level < first_dictionary_level) return {.code_bits = 8, .level = request.level};
  const unsigned level = std::min(request.level, level_that_compares_widths);
  std::array<Expected, 3> expected{};
  const auto expected_at = [&](std::size_t i, unsigned trained_level) {
    return expect(train_tile_table(input, tile_code_bits[i], trained_level, request.parse), i, input,
                  request.parse);
  };
  parallel_for(tile_code_bits.size(), threads, [&](std::size_t i) { expected[i] = expected_at(i, level); });
  const double thesis_ratio = static_cast<double>(input.size()) / expected_thesis_bytes(input);
  const bool none_is_small = std::all_of(expected.begin(), expected.end(),
                                         [&](const Expected& width) { return width.ratio < thesis_ratio; });
  const bool tries_again = none_is_small && level == level_that_compares_widths;
  const std::size_t widest = expected.size() - 1;
  if (tries_again) expected[widest] = expected_at(widest, level_of_second_try);
  choice.ratios = {expected[0].ratio, expected[1].ratio, expected[2].ratio};
  const std::size_t chosen = choose_width(expected, thesis_ratio);
  const bool needs_level = tries_again && chosen == widest;
  return {.code_bits = tile_code_bits[chosen],
          .level = needs_level ? std::max(request.level, level_of_second_try) : request.level};
}

std::uint32_t choose_codes_per_lane(const format::TileTable& table, std::span<const std::uint8_t> input,
                                    const TileRequest& request, TileChoice& choice) {
  if (request.codes_per_lane != 0) return request.codes_per_lane;
  const std::uint32_t most = request.strip_codes / format::tile_lanes;
  if (most < format::max_codes_per_lane) return most;
  std::vector<std::uint8_t> lengths;
  const auto sample = input.first(std::min(input.size(), banked_bytes));
  parse_tiles(table, sample, request.parse, [&](std::size_t, TileMatch match, bool is_literal) {
    if (is_literal) lengths.push_back(0);
    lengths.push_back(static_cast<std::uint8_t>(match.length));
  });
  std::array<double, 3> rounds{};
  std::size_t best = 0;
  for (std::size_t i = 0; i < tile_codes_per_lane.size(); ++i) {
    rounds[i] = count_store_rounds(lengths, tile_codes_per_lane[i]);
    // The larger tiles are the faster ones, unless their stores cost time.
    if (rounds[best] > free_store_rounds && rounds[i] < rounds[best]) best = i;
  }
  choice.store_rounds = rounds;
  return tile_codes_per_lane[best];
}

std::string two_digits(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f", value);
  return text.data();
}

// `3.9; 8 bits 3.4, 10 bits 3.8`: what was chosen first.
template <typename Values>
std::string compare_in_words(const std::array<double, 3>& numbers, const Values& values, std::uint32_t chosen,
                             const std::string& unit) {
  std::string text = two_digits(numbers[index_of(values, chosen, "choice")]);
  const char* separator = "; ";
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == chosen) continue;
    text += separator + std::to_string(values[i]) + " " + unit + " " + two_digits(numbers[i]);
    separator = ", ";
  }
  return text;
}

}  // namespace

std::uint32_t codes_per_strip(const TileChoice& choice) {
  const format::TileShape shape{.code_bits = choice.code_bits, .codes_per_lane = choice.codes_per_lane};
  return choice.strip_codes / shape.codes() * shape.codes();
}

std::string describe(const TileChoice& choice) {
  std::string text = std::to_string(choice.code_bits) + "-bit codes";
  if (choice.ratios) {
    text += " (expected ratio " + compare_in_words(*choice.ratios, tile_code_bits, choice.code_bits, "bits") +
            ")";
  }
  text += ", " + std::to_string(choice.codes_per_lane) + " a lane";
  if (choice.store_rounds) {
    text += " (rounds of a store " +
            compare_in_words(*choice.store_rounds, tile_codes_per_lane, choice.codes_per_lane, "a lane") +
            ")";
  }
  text += ", strips of " + std::to_string(codes_per_strip(choice)) + " codes";
  return text + (choice.parse == Parse::greedy ? ", greedy parse" : ", optimal parse");
}

TilePlan plan_tiles(std::span<const std::uint8_t> input, const TileRequest& request, unsigned threads) {
  if (request.code_bits != 0) index_of(tile_code_bits, request.code_bits, "bits of a code");
  if (request.codes_per_lane != 0)
    index_of(tile_codes_per_lane, request.codes_per_lane, "number of codes in a lane");
  index_of(tile_strip_codes, request.strip_codes, "number of codes in a strip");
  TilePlan plan;
  plan.choice.parse = request.parse;
  plan.choice.strip_codes = request.strip_codes;
  const WidthChoice width = choose_code_bits(input, request, threads, plan.choice);
  plan.choice.code_bits = width.code_bits;
  plan.table = train_tile_table(input, width.code_bits, width.level, request.parse, threads);
  plan.choice.codes_per_lane = choose_codes_per_lane(plan.table, input, request, plan.choice);
  return plan;
}

bool serves(const TilePlan& plan, std::span<const std::uint8_t> block, const TileRequest& request) {
  if (!holds_all_bytes(plan.table, block)) return false;
  const format::TileTable own = train_tile_table(block, 8, min_level, request.parse);
  return expected_code_bytes(plan.table, block, request.parse) <=
         expected_tile_bytes(own, block, request.parse);
}

}  // namespace gsst::reference
