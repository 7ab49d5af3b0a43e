#pragma once

#include <cstdint>

namespace gsst::fuzz {

/// Random numbers that are the same on every machine. Each changed input begins with a new one, so that it
/// must cost nothing to make: splitmix64 (Steele, Lea and Flood 2014), whose state is one word.
class Random {
public:
  /// Numbers that `seed` and `stream` decide together.
  Random(std::uint64_t seed, std::uint64_t stream) : state_(mix(seed) ^ stream) {}

  std::uint64_t number() { return mix(state_ += 0x9e3779b97f4a7c15); }
  /// 0 to limit - 1; `limit` is not 0.
  std::uint32_t below(std::uint64_t limit) { return static_cast<std::uint32_t>(number() % limit); }
  bool one_in(std::uint32_t count) { return below(count) == 0; }
  std::uint8_t byte() { return static_cast<std::uint8_t>(number()); }

private:
  static std::uint64_t mix(std::uint64_t word) {
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
    word = (word ^ word >> 27) * 0x94d049bb133111eb;
    return word ^ word >> 31;
  }

  std::uint64_t state_;
};

}  // namespace gsst::fuzz
