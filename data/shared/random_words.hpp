#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace gsst::data {

/// Random 64-bit words: the generator xoshiro256++ of Blackman and Vigna (2019), started by their SplitMix64.
/// The same words on every machine: all arithmetic is of integers.
class RandomWords {
public:
  /// Words of a seed and of a part of the data, such that parts can be made in any order.
  RandomWords(std::uint64_t seed, std::uint64_t part) {
    std::uint64_t counter = mixed(seed) ^ (part * part_step);
    for (std::uint64_t& word : state_) word = mixed(counter += golden_gamma);
  }

  std::uint64_t next() {
    const std::uint64_t word = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return word;
  }

  /// A number below `bound`, which is at least 1 and far below 2^32: numbers differ in probability by
  /// bound / 2^32 at most.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
  }

private:
  static constexpr std::uint64_t golden_gamma = 0x9E3779B97F4A7C15;
  // Odd, so that parts have different states.
  static constexpr std::uint64_t part_step = 0xD1342543DE82EF95;

  static constexpr std::uint64_t mixed(std::uint64_t word) {
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB;
    return word ^ (word >> 31);
  }

  std::array<std::uint64_t, 4> state_{};
};

}  // namespace gsst::data
