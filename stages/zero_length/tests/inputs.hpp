#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <span>
#include <string>
#include <vector>

/// What the tests of this series encode and decode.
namespace gsst::zero_length::test {

using Bytes = std::vector<std::uint8_t>;

inline constexpr std::size_t longest_run_tested = 600;
inline constexpr std::size_t offsets_tested = 64;

/// `run` zeros from `offset` on, between bytes that are neither 0 nor FF.
inline Bytes run_at(std::size_t offset, std::size_t run) {
  Bytes input(offset, 0x41);
  input.resize(offset + run, 0);
  input.resize(offset + run + offset % 3, 0x42);
  return input;
}

/// Calls `visit` with each string of 1 to `longest` bytes of 00, 01, FC and FF.
template <typename Visit>
void for_each_short_string(std::size_t longest, const Visit& visit) {
  constexpr std::uint8_t alphabet[] = {0x00, 0x01, 0xfc, 0xff};
  for (std::size_t length = 1; length <= longest; ++length) {
    Bytes string(length);
    for (std::size_t number = 0; number < std::size_t{1} << (2 * length); ++number) {
      for (std::size_t i = 0; i < length; ++i) string[i] = alphabet[number >> (2 * i) & 3];
      visit(string);
    }
  }
}

/// Literals, markers, and runs of which many are near 3, 252 and 504.
inline Bytes random_mix(std::size_t bytes, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  constexpr std::size_t centres[] = {1, 3, 4, 8, 64, 252, 504};
  Bytes mix;
  while (mix.size() < bytes) {
    switch (random() % 4) {
      case 0:
        mix.insert(mix.end(), random() % 5, 0xff);
        break;
      case 1:
        for (std::uint64_t left = random() % 20; left != 0; --left) {
          mix.push_back(static_cast<std::uint8_t>(random()));
        }
        break;
      default:
        mix.insert(mix.end(), centres[random() % 7] + random() % 4 - 1, 0);
    }
  }
  mix.resize(bytes);
  return mix;
}

/// Floats of which one in 16 is 0 and the others are random: runs of four zeros, and some of a few more.
/// `marker_share` in 256 of the others' bytes are FF.
inline Bytes random_floats(std::size_t bytes, std::uint64_t seed, std::uint64_t marker_share) {
  std::mt19937_64 random(seed);
  Bytes floats(bytes);
  for (std::size_t i = 0; i < bytes; i += 4) {
    if (random() % 16 == 0) continue;
    for (std::size_t byte = i; byte < std::min(i + 4, bytes); ++byte) {
      floats[byte] = random() % 256 < marker_share ? 0xff : static_cast<std::uint8_t>(random() % 255);
    }
  }
  return floats;
}

/// What the seeds of random tests start from: GSST_TEST_SEED, or else 1. Printed, so that a failure can be
/// repeated.
inline std::uint64_t first_seed() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): tests set no environment variables.
  const char* const chosen = std::getenv("GSST_TEST_SEED");
  const std::uint64_t seed = chosen == nullptr ? 1 : std::strtoull(chosen, nullptr, 10);
  std::cout << "seeds from " << seed << " on (GSST_TEST_SEED)\n";
  return seed;
}

/// The elements of a block, from the rules of FORMAT.md, section 11.1, by another way than any encoder: whole
/// runs are found first, and divided by 252. What the oracle is compared with.
inline Bytes elements_by_whole_runs(std::span<const std::uint8_t> block) {
  const std::string input(block.begin(), block.end());
  std::string elements;
  for (std::size_t i = 0; i < input.size();) {
    const std::size_t run = std::min(input.find_first_not_of('\0', i), input.size()) - i;
    for (std::size_t whole = 0; whole < run / 252; ++whole) elements += "\xff\xfc";
    const std::size_t rest = run % 252;
    elements += rest < 3 ? std::string(rest, '\0') : std::string{'\xff', static_cast<char>(rest)};
    i += run;
    const std::size_t literals = std::min(input.find('\0', i), input.size()) - i;
    for (const char byte : input.substr(i, literals)) {
      elements += byte;
      if (byte == '\xff') elements += '\0';
    }
    i += literals;
  }
  return {elements.begin(), elements.end()};
}

}  // namespace gsst::zero_length::test
