#pragma once

#include <cstdint>
#include <random>

namespace gsst::fuzz {

/// Random numbers that are the same on every machine.
class Random {
public:
  /// Numbers that `seed` and `stream` decide together.
  Random(std::uint64_t seed, std::uint64_t stream) {
    std::seed_seq words{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                        static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(stream >> 32)};
    engine_.seed(words);
  }

  std::uint64_t number() { return engine_(); }
  /// 0 to limit - 1; `limit` is not 0.
  std::uint32_t below(std::uint64_t limit) { return static_cast<std::uint32_t>(engine_() % limit); }
  bool one_in(std::uint32_t count) { return below(count) == 0; }
  std::uint8_t byte() { return static_cast<std::uint8_t>(engine_()); }

private:
  std::mt19937_64 engine_;
};

}  // namespace gsst::fuzz
