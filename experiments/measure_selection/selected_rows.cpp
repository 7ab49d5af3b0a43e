#include "experiments/measure_selection/selected_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

#include "experiments/measure_selection/selected_sums.hpp"
#include "reference_cpu/parallel.hpp"

namespace gsst::experiments {
namespace {

constexpr std::uint32_t bits_of_word = 32;
constexpr std::uint32_t words_of_tile = selected_tile_values / bits_of_word;

// SplitMix64: a random number for each place.
std::uint64_t random_of_place(std::uint64_t place) {
  std::uint64_t state = (place + 1) * 0x9E3779B97F4A7C15;
  state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9;
  state = (state ^ (state >> 27)) * 0x94D049BB133111EB;
  return state ^ (state >> 31);
}

}  // namespace

std::vector<std::uint32_t> select_values(std::uint64_t values, double selectivity) {
  // Of 53 random bits, which a double holds exactly.
  const auto limit = static_cast<std::uint64_t>(std::llround(std::ldexp(selectivity, 53)));
  const std::uint64_t tiles = (values + selected_tile_values - 1) / selected_tile_values;
  std::vector<std::uint32_t> words(tiles * words_of_tile);
  reference::parallel_for(tiles, 0, [&](std::size_t tile) {
    const std::uint64_t end = std::min<std::uint64_t>((tile + 1) * selected_tile_values, values);
    for (std::uint64_t place = tile * selected_tile_values; place < end; ++place) {
      if (random_of_place(place) >> 11 < limit) words[place / bits_of_word] |= 1U << place % bits_of_word;
    }
  });
  return words;
}

std::vector<std::uint64_t> sums_of_selected(std::span<const std::uint32_t> values,
                                            std::span<const std::uint32_t> selected) {
  const std::size_t pieces = reference::thread_count(0);
  std::vector<std::vector<std::uint64_t>> sums(pieces, std::vector<std::uint64_t>(selected_sums));
  reference::parallel_for(pieces, 0, [&](std::size_t piece) {
    const std::size_t end = values.size() * (piece + 1) / pieces;
    for (std::size_t place = values.size() * piece / pieces; place < end; ++place) {
      if ((selected[place / bits_of_word] >> place % bits_of_word & 1) == 0) continue;
      sums[piece][place / selected_tile_values % selected_sums] += values[place];
    }
  });
  for (std::size_t piece = 1; piece < pieces; ++piece) {
    std::ranges::transform(sums[0], sums[piece], sums[0].begin(), std::plus<>());
  }
  return sums[0];
}

}  // namespace gsst::experiments
