#include "data/zero_length/bytes.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <string>

#include "data/shared/random_words.hpp"

namespace gsst::data {
namespace {

constexpr std::uint64_t bytes_of_part = 1 << 20;
// A part does not begin inside a run, which makes the zeros too few by about a run in a megabyte.
constexpr std::uint32_t most_run_bytes = 1 << 12;

std::uint8_t byte_of_stretch(std::uint64_t word) {
  return static_cast<std::uint8_t>(1 + (((word & 0xFFFFFFFF) * 254) >> 32));
}

// The lengths of stretches between runs: mean `mean` / 256, from 1 to twice the mean less 1. What is drawn is
// rounded up as often as its fraction says. Rounded down, short stretches would be too long: of runs of 16,
// 937 zeros in 1000 bytes become 934.
std::uint64_t stretch_length(RandomWords& random, std::uint64_t mean) {
  const std::uint64_t word = random.next();
  const std::uint64_t span = 2 * (mean - 256);
  return (256 + (((word >> 32) * (span + 1)) >> 32) + (word & 255)) >> 8;
}

}  // namespace

Parts random_parts(std::uint64_t bytes, std::uint64_t seed) {
  const auto fill = [seed](std::uint64_t part, std::span<std::uint8_t> output) {
    RandomWords random(seed, part);
    for (std::size_t index = 0; index < output.size(); index += sizeof(std::uint64_t)) {
      const std::uint64_t word = random.next();
      std::memcpy(output.data() + index, &word, std::min(sizeof(word), output.size() - index));
    }
  };
  return {.bytes = bytes, .part_bytes = bytes_of_part, .fill = fill};
}

Parts constant_parts(std::uint64_t bytes, std::uint8_t value) {
  const auto fill = [value](std::uint64_t, std::span<std::uint8_t> output) {
    std::ranges::fill(output, value);
  };
  return {.bytes = bytes, .part_bytes = bytes_of_part, .fill = fill};
}

Parts runs_parts(const Runs& runs) {
  if (runs.run_bytes == 0 || runs.run_bytes > most_run_bytes) {
    throw std::invalid_argument("runs have 1 to " + std::to_string(most_run_bytes) + " bytes");
  }
  const std::uint64_t zeros = runs.zeros_per_thousand;
  if (zeros * (std::uint64_t{runs.run_bytes} + 1) > 1000 * std::uint64_t{runs.run_bytes}) {
    throw std::invalid_argument("runs of " + std::to_string(runs.run_bytes) + " bytes are at most " +
                                std::to_string(1000 * std::uint64_t{runs.run_bytes} / (runs.run_bytes + 1)) +
                                " of 1000 bytes");
  }
  // In 1/256 of a byte.
  const std::uint64_t mean = zeros == 0 ? 0 : std::uint64_t{256} * runs.run_bytes * (1000 - zeros) / zeros;
  const auto fill = [runs, mean](std::uint64_t part, std::span<std::uint8_t> output) {
    RandomWords random(runs.seed, part);
    // A part begins at a random place between the starts of two runs.
    std::size_t next_run = mean == 0 ? output.size() : random.next() % (mean / 256 + runs.run_bytes);
    std::size_t index = 0;
    while (index < output.size()) {
      for (; index < std::min(next_run, output.size()); ++index)
        output[index] = byte_of_stretch(random.next());
      const std::size_t end = std::min(index + runs.run_bytes, output.size());
      std::fill(output.begin() + static_cast<std::ptrdiff_t>(index),
                output.begin() + static_cast<std::ptrdiff_t>(end), std::uint8_t{0});
      index = end;
      next_run = index + stretch_length(random, mean);
    }
  };
  return {.bytes = runs.bytes, .part_bytes = bytes_of_part, .fill = fill};
}

}  // namespace gsst::data
