#include "data/tile_integer/columns.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "data/shared/random_words.hpp"
#include "data/tile_integer/weighted_numbers.hpp"

namespace gsst::data {
namespace {

constexpr std::uint64_t bytes_of_column_part = 1 << 20;
constexpr std::uint64_t values_of_column_part = bytes_of_column_part / sizeof(std::uint32_t);
constexpr std::size_t values_of_miniblock = 32;
constexpr std::uint64_t most_values = std::uint64_t{1} << 36;
constexpr std::uint64_t most_sorted = std::uint64_t{1} << 31;
constexpr unsigned bits_of_word = 64;

void check(bool is_right, const std::string& problem) {
  if (!is_right) throw std::invalid_argument(problem);
}

void check_column(const Column& column) {
  check(column.values >= 1 && column.values <= most_values, "a column has 1 to 2^36 values");
  check(column.value_bytes == 4 || column.value_bytes == 8, "a value has 4 or 8 bytes");
}

// Of those whose values have 4 bytes.
void check_narrow_column(const Column& column) {
  check_column(column);
  check(column.value_bytes == 4, "the values of this column have 4 bytes");
}

// The values of a part, at the bytes that they are stored in.
template <typename Value>
class Values {
public:
  explicit Values(std::span<std::uint8_t> bytes) : bytes_(bytes) {}

  std::size_t size() const { return bytes_.size() / sizeof(Value); }
  void set(std::size_t index, std::uint64_t value) const {
    const auto stored = static_cast<Value>(value);
    std::memcpy(bytes_.data() + index * sizeof(Value), &stored, sizeof(Value));
  }

private:
  std::span<std::uint8_t> bytes_;
};

using NarrowValues = Values<std::uint32_t>;

// `fill` sets the values of a part by random words of the part's own, and is told the part's number.
template <typename Value, typename Fill>
Parts random_column(const Column& column, Fill fill) {
  return {.bytes = column.values * sizeof(Value),
          .part_bytes = bytes_of_column_part,
          .fill = [seed = column.seed, fill](std::uint64_t part, std::span<std::uint8_t> output) {
            RandomWords random(seed, part);
            fill(random, part, Values<Value>(output));
          }};
}

// `width` random bits.
std::uint64_t random_bits(RandomWords& random, unsigned width) {
  const std::uint64_t word = random.next();
  // A shift by 64 is not defined.
  return width == 0 ? 0 : word >> (bits_of_word - width);
}

template <typename Value>
Parts uniform_column(const Column& column, unsigned width) {
  return random_column<Value>(column, [width](RandomWords& random, std::uint64_t, Values<Value> values) {
    for (std::size_t index = 0; index < values.size(); ++index) values.set(index, random_bits(random, width));
  });
}

template <typename Value>
Parts mixed_column(const Column& column) {
  return random_column<Value>(column, [](RandomWords& random, std::uint64_t, Values<Value> values) {
    constexpr unsigned bits = 8 * sizeof(Value);
    constexpr std::uint64_t smallest = std::uint64_t{1} << (bits - 1);
    for (std::size_t begin = 0; begin < values.size(); begin += values_of_miniblock) {
      const unsigned width = random.below(bits + 1);
      for (std::size_t index = begin; index < begin + values_of_miniblock; ++index) {
        // No carry is lost: the type's smallest value has its highest bit alone.
        values.set(index, smallest ^ random_bits(random, width));
      }
    }
  });
}

Parts weighted_column(const Column& column, const std::vector<double>& weights, std::uint32_t first) {
  // All parts share the table.
  const auto numbers = std::make_shared<const WeightedNumbers>(weights);
  return random_column<std::uint32_t>(
      column, [numbers, first](RandomWords& random, std::uint64_t, NarrowValues values) {
        for (std::size_t index = 0; index < values.size(); ++index) {
          values.set(index, std::uint64_t{first} + numbers->draw(random));
        }
      });
}

// In proportion to exp(-k^2 / (2 * 20^2)) for k from -reach to reach.
std::vector<double> normal_weights(std::uint32_t reach) {
  // exp(-1 / 800): the exponent of 2 * 20^2. Powers of it are products, which are the same on every machine.
  constexpr double base = 0.99875078092458095;
  std::vector<double> weights(2 * std::size_t{reach} + 1);
  double weight = 1;
  // weight(k + 1) = weight(k) * base^(2 k + 1)
  double factor = base;
  for (std::size_t distance = 0; distance <= reach; ++distance) {
    weights[reach - distance] = weight;
    weights[reach + distance] = weight;
    weight *= factor;
    factor *= base * base;
  }
  return weights;
}

double square_root(double number) {
  // Newton's method: std::sqrt would do, but this rests on the four operations alone.
  double root = number < 1 ? 1 : number;
  for (double next = (root + number / root) / 2; next < root; next = (root + number / root) / 2) root = next;
  return root;
}

// Of value k: 1 / (k + 1)^exponent.
std::vector<double> zipf_weights(std::uint32_t exponent_tenths) {
  std::vector<double> weights;
  weights.reserve(zipf_values);
  for (std::uint32_t rank = 1; rank <= zipf_values; ++rank) {
    double weight = exponent_tenths % 10 == 0 ? 1 : 1 / square_root(rank);
    for (std::uint32_t power = 0; power < exponent_tenths / 10; ++power) weight /= rank;
    weights.push_back(weight);
  }
  return weights;
}

}  // namespace

Parts uniform_parts(const Column& column, unsigned width) {
  check_column(column);
  check(width >= 1 && width <= 8 * column.value_bytes, "a width is 1 to the bits of a value");
  return column.value_bytes == 4 ? uniform_column<std::uint32_t>(column, width)
                                 : uniform_column<std::uint64_t>(column, width);
}

Parts mixed_parts(const Column& column) {
  check_column(column);
  return column.value_bytes == 4 ? mixed_column<std::uint32_t>(column) : mixed_column<std::uint64_t>(column);
}

Parts sorted_parts(const Column& column, std::uint64_t unique) {
  check_narrow_column(column);
  check(column.values <= most_sorted && unique >= 1 && unique <= most_sorted,
        "a sorted column has at most 2^31 values, and 1 to 2^31 unique ones");
  const auto fill = [unique, all = column.values](std::uint64_t part, std::span<std::uint8_t> output) {
    const NarrowValues values(output);
    const std::uint64_t first = part * values_of_column_part;
    for (std::size_t index = 0; index < values.size(); ++index) {
      values.set(index, (first + index) * unique / all);
    }
  };
  return {.bytes = column.values * sizeof(std::uint32_t), .part_bytes = bytes_of_column_part, .fill = fill};
}

Parts normal_parts(const Column& column, std::uint32_t mean) {
  check_narrow_column(column);
  check(mean <= std::uint32_t{1} << 30, "a mean is at most 2^30");
  constexpr std::uint32_t reach = 8 * 20;
  // Modulo 2^32: values may be below 0.
  return weighted_column(column, normal_weights(reach), mean - reach);
}

Parts zipf_parts(const Column& column, std::uint32_t exponent_tenths) {
  check_narrow_column(column);
  check(exponent_tenths % 5 == 0 && exponent_tenths <= 100, "an exponent is a multiple of 0.5 up to 10");
  return weighted_column(column, zipf_weights(exponent_tenths), 0);
}

Parts ascending_parts(const Column& column) {
  check_narrow_column(column);
  check(column.values < most_sorted, "1, 2, 3 and so on are at most 2^31 - 1 values");
  const auto fill = [](std::uint64_t part, std::span<std::uint8_t> output) {
    const NarrowValues values(output);
    for (std::size_t index = 0; index < values.size(); ++index) {
      values.set(index, part * values_of_column_part + index + 1);
    }
  };
  return {.bytes = column.values * sizeof(std::uint32_t), .part_bytes = bytes_of_column_part, .fill = fill};
}

Parts gaps_parts(const Column& column, unsigned width) {
  check_narrow_column(column);
  check(width >= 1 && width <= 31, "a gap has 1 to 31 bits");
  return random_column<std::uint32_t>(column,
                                      [width](RandomWords& random, std::uint64_t part, NarrowValues values) {
                                        const std::uint64_t largest = (std::uint64_t{1} << width) - 1;
                                        constexpr std::uint64_t half = values_of_column_part / 2;
                                        std::vector<std::uint32_t> gaps(half);
                                        for (std::uint32_t& gap : gaps)
                                          gap = static_cast<std::uint32_t>(random_bits(random, width));
                                        std::uint64_t value = part * half * largest;
                                        for (std::size_t index = 0; index < half; ++index)
                                          values.set(index, value += gaps[index]);
                                        for (std::size_t index = 0; index < half; ++index) {
                                          values.set(half + index, value += largest - gaps[index]);
                                        }
                                      });
}

Parts runs_parts(const Column& column, std::uint32_t run_tenths) {
  check_narrow_column(column);
  check(run_tenths >= 10 && run_tenths <= 10000, "a mean run has 1 to 1000 values");
  // Of 2^32 words those that end no run.
  const std::uint64_t longer = (std::uint64_t{run_tenths - 10} << 32) / run_tenths;
  return random_column<std::uint32_t>(column,
                                      [longer](RandomWords& random, std::uint64_t, NarrowValues values) {
                                        std::uint64_t value = random.below(1 << 16);
                                        for (std::size_t index = 0; index < values.size(); ++index) {
                                          values.set(index, value);
                                          if (random.next() >> 32 >= longer)
                                            value = (value + 1 + random.below((1 << 16) - 1)) % (1 << 16);
                                        }
                                      });
}

}  // namespace gsst::data
