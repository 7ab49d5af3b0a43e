#include "data/codag/columns.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "data/shared/random_words.hpp"
#include "data/tile_integer/weighted_numbers.hpp"

namespace gsst::data::codag {
namespace {

constexpr std::uint64_t bytes_of_chunks_part = std::uint64_t{1} << 20;

// `fill` sets the values of a part by random words of the part's own, and is told the part's number.
template <typename Value, typename Fill>
Parts parts_of_values(const ColumnOfPaper& column, Fill fill) {
  if (column.bytes < 1 || column.bytes > most_bytes) {
    throw std::invalid_argument("a column has 1 to 2^30 bytes");
  }
  return {.bytes = column.bytes,
          .part_bytes = bytes_of_chunks_part,
          .fill = [seed = column.seed, fill](std::uint64_t part, std::span<std::uint8_t> output) {
            RandomWords random(seed, part);
            std::vector<Value> values(output.size() / sizeof(Value));
            fill(random, part, std::span<Value>(values));
            std::memcpy(output.data(), values.data(), output.size());
          }};
}

// Runs of values that `draw` gives, of which no two neighbours are equal. A run ends after each value with
// the same probability, and where the part ends.
template <typename Value, typename Draw>
Parts parts_of_runs(const ColumnOfPaper& column, std::uint32_t mean_length, Draw draw) {
  return parts_of_values<Value>(
      column, [mean_length, draw](RandomWords& random, std::uint64_t, std::span<Value> values) {
        Value current = draw(random);
        for (Value& value : values) {
          value = current;
          if (random.below(mean_length) != 0) continue;
          while (current == value) current = draw(random);
        }
      });
}

template <typename Value>
Parts parts_of_weights(const ColumnOfPaper& column, const std::vector<double>& weights) {
  // All parts share the table.
  const auto numbers = std::make_shared<const WeightedNumbers>(weights);
  return parts_of_values<Value>(column,
                                [numbers](RandomWords& random, std::uint64_t, std::span<Value> values) {
                                  for (Value& value : values)
                                    value = static_cast<Value>(numbers->draw(random));
                                });
}

double root_of(double number) {
  // Newton's method, which rests on the four operations alone: std::sqrt may differ between machines.
  double root = number;
  for (double next = (root + 1) / 2; next < root; next = (root + number / root) / 2) root = next;
  return root;
}

// Of number k: 1 / (k + first)^1.5.
std::vector<double> power_law(std::uint32_t numbers, std::uint32_t first) {
  std::vector<double> weights;
  weights.reserve(numbers);
  for (std::uint32_t k = first; k < first + numbers; ++k) weights.push_back(1 / (k * root_of(k)));
  return weights;
}

}  // namespace

Parts mc0_parts(const ColumnOfPaper& column) {
  return parts_of_runs<std::uint64_t>(
      column, 31, [](RandomWords& random) -> std::uint64_t { return random.below(std::uint32_t{1} << 22); });
}

Parts mc3_parts(const ColumnOfPaper& column) {
  return parts_of_runs<float>(column, 43, [](RandomWords& random) -> float {
    if (random.below(5) == 0) return 0;
    return 2 + static_cast<float>(random.below(56)) / 8;
  });
}

Parts tpc_parts(const ColumnOfPaper& column) {
  return parts_of_weights<std::uint8_t>(column, {0.02, 0.70, 0.14, 0.04, 0.03, 0.04, 0.03});
}

Parts tpt_parts(const ColumnOfPaper& column) {
  return parts_of_values<char>(column, [](RandomWords& random, std::uint64_t, std::span<char> text) {
    using Kinds = std::array<std::string_view, 2>;
    constexpr Kinds words = {"Cash\n", "Credit\n"};
    constexpr Kinds digits = {"1\n", "2\n"};
    while (!text.empty()) {
      const Kinds& kinds = random.below(4) == 0 ? words : digits;
      for (int line = 0; line < 1000 && !text.empty(); ++line) {
        const std::string_view kind = kinds.at(random.below(2));
        const std::size_t bytes = std::min(kind.size(), text.size());
        std::ranges::copy(kind.substr(0, bytes), text.begin());
        text = text.subspan(bytes);
      }
    }
  });
}

Parts cd2_parts(const ColumnOfPaper& column) {
  return parts_of_weights<std::uint32_t>(column, power_law(std::uint32_t{1} << 20, 2));
}

Parts tc2_parts(const ColumnOfPaper& column) {
  std::vector<double> weights = power_law(999, 1);
  weights[0] *= 8;
  weights[1] *= 4;
  const auto edges = std::make_shared<const WeightedNumbers>(weights);
  return parts_of_values<std::uint64_t>(
      column, [edges](RandomWords& random, std::uint64_t part, std::span<std::uint64_t> values) {
        // As varints, identifiers of 2^21 to 2^28 - 1 have 4 bytes. A part has some of its own, so that it
        // is known where the next one begins.
        constexpr std::uint64_t smallest = std::uint64_t{1} << 21;
        constexpr std::uint64_t of_part = 3 * (std::uint64_t{1} << 16);
        const std::uint64_t last = smallest + (part + 1) * of_part - 1;
        for (std::uint64_t vertex = smallest + part * of_part; !values.empty();) {
          const std::size_t count = std::min<std::size_t>(values.size(), 1 + edges->draw(random));
          std::ranges::fill(values.first(count), vertex);
          values = values.subspan(count);
          vertex = std::min(last, vertex + 1 + random.below(16));
        }
      });
}

Parts runs_of_30_parts(const ColumnOfPaper& column) {
  return parts_of_runs<std::int64_t>(
      column, 30, [](RandomWords& random) -> std::int64_t { return random.below(1'000'000'000); });
}

Parts outliers_parts(const ColumnOfPaper& column) {
  return parts_of_values<std::int64_t>(
      column, [](RandomWords& random, std::uint64_t, std::span<std::int64_t> values) {
        for (std::int64_t& value : values) {
          const int bits = random.below(64) == 0 ? 40 : 20;
          value = static_cast<std::int64_t>(random.next() >> (64 - bits));
        }
      });
}

}  // namespace gsst::data::codag
